#include "synsets.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>
#include <stdexcept>

namespace textgauge {
namespace {

constexpr std::array<std::string_view, n_parts> part_names{"noun", "verb", "adj", "adv"};
constexpr std::size_t n_digits_of_number = 8;

struct Ending {
    std::string_view old, now;
};
constexpr Ending noun_endings[] = {{"s", ""},   {"ses", "s"},  {"ves", "f"},   {"xes", "x"}, {"zes", "z"},
                                   {"ches", "ch"}, {"shes", "sh"}, {"men", "man"}, {"ies", "y"}};
constexpr Ending verb_endings[] = {{"s", ""},  {"ies", "y"}, {"es", "e"},  {"es", ""},
                                   {"ed", "e"}, {"ed", ""},   {"ing", "e"}, {"ing", ""}};
constexpr Ending adjective_endings[] = {{"er", ""}, {"est", ""}, {"er", "e"}, {"est", "e"}};
std::span<const Ending> endings_of(std::size_t part) {
    switch (part) {
        case 0: return noun_endings;
        case 1: return verb_endings;
        case 2: return adjective_endings;
        default: return {};
    }
}

[[noreturn]] void refuse(std::string_view kind, std::size_t part, const std::string& reason) {
    throw std::invalid_argument(std::string(kind) + "." + std::string(part_names[part]) + ": " + reason);
}

bool is_between(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The next word of a line, which goes from the line; empty at its end.
std::string_view next_field(std::string_view& line) {
    std::size_t from = 0;
    while (from < line.size() && is_between(line[from])) ++from;
    auto to = from;
    while (to < line.size() && !is_between(line[to])) ++to;
    const auto field = line.substr(from, to - from);
    line.remove_prefix(to);
    return field;
}

template <class Visit>
void each_line_of(std::string_view file, Visit visit) {
    while (!file.empty()) {
        const auto n = std::min(file.find('\n'), file.size());
        visit(file.substr(0, n));
        file.remove_prefix(std::min(n + 1, file.size()));
    }
}

std::optional<std::uint32_t> whole(std::string_view digits, int base = 10) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
    if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return number;
}

std::optional<std::uint32_t> number_of_synset(std::string_view digits) {
    return digits.size() == n_digits_of_number ? whole(digits) : std::nullopt;
}

std::string eight_digits(std::uint32_t number) {
    const auto digits = std::to_string(number);
    return std::string(n_digits_of_number - std::min(n_digits_of_number, digits.size()), '0') + digits;
}

}  // namespace

WordNet::WordNet(const WordNetFiles& index, const WordNetFiles& exceptions, const WordNetFiles& data) {
    std::vector<std::string_view> fields;
    for (std::size_t p = 0; p < n_parts; ++p) {
        auto& part = parts_[p];
        each_line_of(index[p], [&](std::string_view line) {
            if (line.starts_with(' ')) return;
            fields.clear();
            for (auto field = next_field(line); !field.empty(); field = next_field(line)) fields.push_back(field);
            if (fields.empty()) return;
            const auto n = fields.size() > 2 ? whole(fields[2]).value_or(0) : 0;
            bool is_whole = n > 0 && n <= fields.size() - 3;
            const auto first = senses_.size();
            for (auto i = fields.size() - (is_whole ? n : 0); is_whole && i < fields.size(); ++i) {
                const auto number = number_of_synset(fields[i]);
                is_whole = number.has_value();
                senses_.push_back(number.value_or(0));
            }
            if (!is_whole) refuse("index", p, std::string(fields[0]) + " lacks numbers of synsets");
            index_[fields[0]][p] = {static_cast<std::uint32_t>(first), n};
        });
        each_line_of(exceptions[p], [&](std::string_view line) {
            auto rest = line;
            const auto form = next_field(rest);
            if (!form.empty()) exceptions_[form][p] = line;
        });
        part.data = data[p];
        each_line_of(part.data, [&](std::string_view line) {
            const auto number = number_of_synset(line.substr(0, n_digits_of_number));
            if (number && *number != static_cast<std::size_t>(line.data() - part.data.data()))
                part.lines.emplace_back(*number, line);
        });
        // Of lines with one number the last counts.
        std::ranges::stable_sort(part.lines, {}, [](const auto& line) { return line.first; });
    }
}

std::string_view WordNet::line_of(std::size_t part, std::uint32_t number) const {
    const auto& [data, lines] = parts_[part];
    if (number < data.size() && (number == 0 || data[number - 1] == '\n') &&
        number_of_synset(data.substr(number, n_digits_of_number)) == number)
        return data.substr(number, data.find('\n', number) - number);
    const auto behind = std::ranges::upper_bound(lines, number, {}, [](const auto& line) { return line.first; });
    if (behind == lines.begin() || (behind - 1)->first != number) refuse("data", part, "no line " + eight_digits(number));
    return (behind - 1)->second;
}

void WordNet::add_synset(std::size_t part, std::uint32_t number, std::vector<std::string_view>& names) const {
    auto line = line_of(part, number);
    const auto* const first = line.data();
    // The fields end at " | ", which is far behind those that are read.
    const auto next = [&] {
        const auto field = next_field(line);
        const bool is_end = field == "|" && field.data() > first && field.data()[-1] == ' ' && line.starts_with(' ');
        if (is_end) line = {};
        return is_end ? std::string_view() : field;
    };
    for (int i = 0; i < 3; ++i) next();
    const auto n_names = whole(next(), 16).value_or(0);
    std::uint32_t n_found = 0;
    for (; n_found < n_names; ++n_found) {
        auto name = next();
        if (name.empty()) break;
        next();
        if (name.find('_') != std::string_view::npos) continue;
        // Adjectives may say where they stand: galore(ip).
        if (name.ends_with(')')) name = name.substr(0, name.find('('));
        names.push_back(name);
    }
    if (n_names == 0 || n_found != n_names)
        refuse("data", part, "line " + eight_digits(number) + " has " + std::to_string(n_found) + " of " +
                                 std::to_string(n_names) + " words");
}

template <class Visit>
void WordNet::each_base(const std::string& word, Visit visit) const {
    std::string form;
    const auto own = index_.find(word);
    const auto irregular = exceptions_.find(word);
    const auto visit_base = [&](std::size_t part, std::string_view base) {
        const auto found = index_.find(base);
        if (found != index_.end()) visit(part, found->second[part]);
    };
    for (std::size_t p = 0; p < n_parts; ++p) {
        if (own != index_.end()) visit(p, own->second[p]);
        if (irregular != exceptions_.end() && !irregular->second[p].empty()) {
            auto line = irregular->second[p];
            next_field(line);
            for (auto base = next_field(line); !base.empty(); base = next_field(line)) visit_base(p, base);
            continue;
        }
        for (const auto& [old, now] : endings_of(p)) {
            if (!word.ends_with(old)) continue;
            form.assign(word, 0, word.size() - old.size()).append(now);
            visit_base(p, form);
        }
    }
}

void WordNet::add_names(const std::string& word, std::vector<std::string_view>& names) const {
    each_base(word, [&](std::size_t part, Senses senses) {
        for (std::uint32_t i = 0; i < senses.n; ++i) add_synset(part, senses_[senses.first + i], names);
    });
}

std::span<const std::uint32_t> WordNet::numbers_at(std::size_t part, std::size_t place) {
    constexpr std::uint32_t is_read = 1;  // more than the place: 0 where nothing was read
    if (read_.empty()) read_.resize(senses_.size());
    auto& [first, n] = read_[place];
    if (first == 0) {
        read_names_.clear();
        add_synset(part, senses_[place], read_names_);
        first = static_cast<std::uint32_t>(numbers_.size()) + is_read;
        n = static_cast<std::uint32_t>(read_names_.size());
        for (const auto name : read_names_) {
            const auto [found, is_new] = number_of_.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
            if (is_new) names_.push_back(name);
            numbers_.push_back(found->second);
        }
    }
    return std::span<const std::uint32_t>(numbers_).subspan(first - is_read, n);
}

void WordNet::add_numbers(const std::string& word, std::vector<std::uint32_t>& numbers) {
    each_base(word, [&](std::size_t part, Senses senses) {
        for (std::uint32_t i = 0; i < senses.n; ++i) {
            const auto found = numbers_at(part, senses.first + i);
            numbers.insert(numbers.end(), found.begin(), found.end());
        }
    });
}

std::string WordNet::counted() const {
    std::string all;
    std::vector<std::pair<std::string_view, std::uint32_t>> words;
    for (std::size_t p = 0; p < n_parts; ++p) {
        words.clear();
        for (const auto& [word, senses] : index_)
            if (senses[p].n > 0) words.emplace_back(word, senses[p].n);
        std::ranges::sort(words);
        for (const auto& [word, n] : words) ((all += word) += ' ') += std::to_string(n) + '\n';
    }
    return all;
}

}  // namespace textgauge
