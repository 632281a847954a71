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

// The next word of a line, which goes from the line; empty at its end. Other lines may follow.
std::string_view next_field(std::string_view& line) {
    std::size_t from = 0;
    while (from < line.size() && is_between(line[from]) && line[from] != '\n') ++from;
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

// The row of a word, which is new where the word is.
template <class Row>
Row& row_of(CompactWordIds& words, std::vector<Row>& rows, std::string_view word) {
    const auto id = words.add(word);
    if (id == rows.size()) rows.emplace_back();
    return rows[id];
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
            row_of(index_, senses_of_, fields[0])[p] = {static_cast<std::uint32_t>(first), n};
        });
        each_line_of(exceptions[p], [&](std::string_view line) {
            auto rest = line;
            const auto form = next_field(rest);
            if (!form.empty()) row_of(exceptions_, bases_of_, form)[p] = line;
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

// From the beginning of the line on.
std::string_view WordNet::line_of(std::size_t part, std::uint32_t number) const {
    const auto& [data, lines] = parts_[part];
    if (number < data.size() && (number == 0 || data[number - 1] == '\n') &&
        number_of_synset(data.substr(number, n_digits_of_number)) == number)
        return data.substr(number);
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
    const auto own = index_.find(word), irregular = exceptions_.find(word);
    const auto visit_base = [&](std::size_t part, std::string_view base) {
        const auto found = index_.find(base);
        if (found != WordIds::none) visit(part, senses_of_[found][part]);
    };
    for (std::size_t p = 0; p < n_parts; ++p) {
        if (own != WordIds::none) visit(p, senses_of_[own][p]);
        if (irregular != WordIds::none && !bases_of_[irregular][p].empty()) {
            auto line = bases_of_[irregular][p];
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
        const auto numbers = std::span(senses_).subspan(senses.first, senses.n);
        // Lines are anywhere in the file.
        const auto data = parts_[part].data;
        for (const auto number : numbers)
            if (number < data.size()) prefetch(data.data() + number);
        for (const auto number : numbers) add_synset(part, number, names);
    });
}

std::string WordNet::counted() const {
    std::string all;
    std::vector<std::pair<std::string_view, std::uint32_t>> words;
    for (std::size_t p = 0; p < n_parts; ++p) {
        words.clear();
        for (std::uint32_t word = 0; word < index_.size(); ++word)
            if (const auto n = senses_of_[word][p].n; n > 0) words.emplace_back(index_[word], n);
        std::ranges::sort(words);
        for (const auto& [word, n] : words) ((all += word) += ' ') += std::to_string(n) + '\n';
    }
    return all;
}

std::uint32_t StemsAndSynonyms::id_of(std::string_view word) {
    const auto id = ids_.find(word);
    if (id != WordIds::none) return id;
    n_bytes_ += word.size() + padding;
    return ids_.add(kept_->keep(word));
}

void StemsAndSynonyms::fit() {
    stem_of_.resize(ids_.size(), WordIds::none);
    number_of_.resize(ids_.size(), WordIds::none);
    names_of_.resize(ids_.size());
}

std::uint32_t StemsAndSynonyms::stem_of(std::uint32_t id) {
    if (stem_of_[id] == WordIds::none) {
        const auto stem = id_of(nltk_stem(ids_[id], letters_, scratch_));
        fit();
        stem_of_[id] = stem;
    }
    return stem_of_[id];
}

std::span<const std::uint32_t> StemsAndSynonyms::names_of(std::uint32_t id) {
    if (names_of_[id].first == WordIds::none) {
        read_.clear();
        net_.add_names(lowered_(ids_[id]), read_);
        const auto first = names_.size();
        for (const auto name : read_) names_.push_back(ids_.add(name));
        fit();
        const auto own = names_.begin() + static_cast<std::ptrdiff_t>(first);
        std::sort(own, names_.end());
        names_.erase(std::unique(own, names_.end()), names_.end());
        names_of_[id] = {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(names_.size() - first)};
    }
    return std::span<const std::uint32_t>(names_).subspan(names_of_[id].first, names_of_[id].n);
}

StemsAndSynonyms::Found StemsAndSynonyms::find(std::vector<std::string_view>& words) {
    // WordNet has half as many names; words may be long where texts have no spaces.
    constexpr std::size_t most = std::size_t{1} << 18, most_bytes = std::size_t{1} << 25;
    if (ids_.size() > most || n_bytes_ > most_bytes) {
        ids_.clear();
        n_bytes_ = 0;
        for (auto* numbers : {&stem_of_, &number_of_, &names_}) numbers->clear();
        names_of_.clear();
        kept_ = std::make_unique<KeptWords>();
    }
    std::vector<std::uint32_t> ids;
    // Also where a file is damaged.
    struct Forget {
        StemsAndSynonyms& own;
        const std::vector<std::uint32_t>& ids;
        ~Forget() {
            for (const auto id : ids) own.number_of_[id] = WordIds::none;
        }
    } const forget{*this, ids};
    const auto put = [&](std::uint32_t id) {
        number_of_[id] = static_cast<std::uint32_t>(ids.size());
        ids.push_back(id);
    };
    for (const auto word : words) {
        const auto id = id_of(word);
        fit();
        put(id);
    }
    Found found;
    for (std::size_t w = 0, n = words.size(); w < n; ++w) {
        const auto stem = stem_of(ids[w]);
        if (number_of_[stem] == WordIds::none) {
            put(stem);
            words.push_back(ids_[stem]);
        }
        found.stems.push_back(number_of_[stem]);
    }
    // A stem of a stem is never asked for.
    for (auto w = found.stems.size(); w < words.size(); ++w) found.stems.push_back(static_cast<std::uint32_t>(w));
    std::vector<bool> are_stems(words.size());
    for (const auto stem : found.stems) are_stems[stem] = true;
    found.offsets.push_back(0);
    for (std::uint32_t w = 0; w < words.size(); ++w) {
        const auto first = static_cast<std::ptrdiff_t>(found.related.size());
        if (are_stems[w]) {
            found.related.push_back(w);
            for (const auto id : names_of(ids[w]))
                if (const auto word = number_of_[id]; word != WordIds::none && word != w) found.related.push_back(word);
            std::sort(found.related.begin() + first, found.related.end());
        }
        found.offsets.push_back(static_cast<std::int64_t>(found.related.size()));
    }
    return found;
}

}  // namespace textgauge
