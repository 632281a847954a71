#include "lexer.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <stdexcept>
#include <unordered_set>

#include "characters.hpp"

namespace textgauge {
namespace {

std::vector<std::uint32_t> codes_of(std::string_view text) {
    std::vector<std::uint32_t> codes;
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        const auto [code, n_bytes] = character_at(at, end);
        codes.push_back(code);
        at += n_bytes;
    }
    return codes;
}

// Ascending and apart.
template <class Ranges>
Ranges merged(Ranges ranges) {
    std::sort(ranges.begin(), ranges.end());
    Ranges result;
    for (const auto& range : ranges) {
        if (!result.empty() && range.first <= result.back().second + 1)
            result.back().second = std::max(result.back().second, range.second);
        else
            result.push_back(range);
    }
    return result;
}

template <class Ranges>
Ranges complement(const Ranges& ranges) {
    Ranges result;
    std::uint32_t first = 0;
    for (const auto& [low, high] : ranges) {
        if (low > first) result.emplace_back(first, low - 1);
        first = high + 1;
    }
    result.emplace_back(first, static_cast<std::uint32_t>(n_code_points) - 1);
    return result;
}

std::string utf8_of(std::span<const char> bytes) { return {bytes.data(), bytes.size()}; }

bool is_lexer_space(std::uint32_t code) {
    return code == ' ' || (code >= '\t' && code <= '\r') || code == 0x85 || code == 0xA0 ||
           (code >= 0x2000 && code <= 0x200A) || code == 0x3000;
}

// Letters and what else counts as such beside a sigma.
bool is_beside_sigma(std::uint32_t code) {
    return (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z') || (code >= 0xAA && code < 0x2000) ||
           (code >= 0x2C00 && code < 0x10000);
}

// Line breaks become spaces, those of three bytes one byte.
Text without_breaks(Text text) {
    for (char& byte : text)
        if (byte == '\n' || byte == '\r' || byte == '\v' || byte == '\f') byte = ' ';
    const std::string_view whole(text.data(), text.size());
    if (whole.find("\u2028") == whole.npos && whole.find("\u2029") == whole.npos) return text;
    char* to = text.data();
    for (std::size_t at = 0; at < text.size();) {
        const bool is_break = whole.substr(at, 3) == "\u2028" || whole.substr(at, 3) == "\u2029";
        *to++ = is_break ? ' ' : text[at];
        at += is_break ? 3 : 1;
    }
    return text.first(static_cast<std::size_t>(to - text.data()));
}

}  // namespace

// Reads one pattern into places, by recursive descent; every part is a pair of its first and its last place.
struct Automaton::Parser {
    Automaton& of;
    std::vector<std::uint32_t> codes;
    std::size_t at = 0;

    struct Part {
        std::uint32_t first, last;
    };

    [[noreturn]] void refuse() const { throw std::invalid_argument("pattern: not one that the lexer knows"); }
    bool has(char sign) const { return at < codes.size() && codes[at] == static_cast<std::uint32_t>(sign); }
    bool take(char sign) {
        const bool is_there = has(sign);
        at += is_there;
        return is_there;
    }
    std::uint32_t add() {
        of.places_.emplace_back();
        return static_cast<std::uint32_t>(of.places_.size() - 1);
    }
    void link(std::uint32_t from, std::uint32_t to) { of.places_[from].empty.push_back(to); }

    Part alternatives() {
        Part all{add(), add()};
        do {
            const auto part = sequence();
            link(all.first, part.first);
            link(part.last, all.last);
        } while (take('|'));
        return all;
    }

    Part sequence() {
        Part all{add(), 0};
        all.last = all.first;
        while (at < codes.size() && !has('|') && !has(')')) {
            const auto part = repeated();
            link(all.last, part.first);
            all.last = part.last;
        }
        return all;
    }

    std::size_t number() {
        std::size_t value = 0;
        while (at < codes.size() && codes[at] >= '0' && codes[at] <= '9') value = 10 * value + (codes[at++] - '0');
        return value;
    }

    // An atom, as often as its repeat says: it is read again for every time.
    Part repeated() {
        const auto begin = at;
        Part part = atom();
        std::size_t least = 1, most = 1;
        bool has_end = true;
        if (take('*')) least = 0, has_end = false;
        else if (take('+')) has_end = false;
        else if (take('?')) least = 0;
        else if (take('{')) {
            least = most = number();
            if (take(',')) {
                has_end = !has('}');
                if (has_end) most = number();
            }
            if (!take('}')) refuse();
        } else {
            return part;
        }
        const auto behind = at;
        Part all{add(), 0};
        all.last = all.first;
        const auto end = add();
        const auto n = has_end ? most : std::max<std::size_t>(least, 1);
        for (std::size_t i = 0; i < n; ++i) {
            if (i > 0) {
                at = begin;
                part = atom();
            }
            if (i >= least) link(all.last, end);
            link(all.last, part.first);
            all.last = part.last;
        }
        if (!has_end) link(part.last, part.first);
        link(all.last, end);
        at = behind;
        return {all.first, end};
    }

    Part atom() {
        if (at >= codes.size()) refuse();
        if (take('(')) {
            if (!take('?') || !take(':')) refuse();
            const auto part = alternatives();
            if (!take(')')) refuse();
            return part;
        }
        Part part{add(), add()};
        const auto ranges = take('[') ? characters() : Ranges{{one(), 0}};
        auto known = ranges;
        if (known.size() == 1 && known[0].second == 0) known[0].second = known[0].first;
        of.places_[part.first].set = static_cast<std::int32_t>(of.set_of(known));
        of.places_[part.first].on.push_back(part.last);
        return part;
    }

    std::uint32_t one() {
        const bool is_escaped = take('\\');
        if (at >= codes.size()) refuse();
        const auto code = codes[at++];
        // Letters and digits behind a backslash are classes and codes elsewhere.
        if (is_escaped && code < 0x80 && std::isalnum(static_cast<int>(code))) refuse();
        return code;
    }

    Ranges characters() {
        const bool is_negated = take('^');
        Ranges ranges;
        while (!take(']')) {
            if (at >= codes.size()) refuse();
            const auto first = one();
            auto last = first;
            if (has('-') && at + 1 < codes.size() && codes[at + 1] != ']') {
                ++at;
                last = one();
            }
            ranges.emplace_back(first, last);
        }
        ranges = merged(std::move(ranges));
        return is_negated ? complement(ranges) : ranges;
    }
};

Automaton::Automaton(const std::vector<std::string>& patterns) {
    std::vector<std::uint32_t> first;
    for (std::size_t rule = 0; rule < patterns.size(); ++rule) {
        Parser parser{*this, codes_of(patterns[rule])};
        const auto part = parser.alternatives();
        if (parser.at != parser.codes.size()) parser.refuse();
        places_[part.last].rule = static_cast<std::int32_t>(rule);
        first.push_back(part.first);
    }
    tell_kinds();
    is_reached_.resize(places_.size());
    std::vector<std::uint32_t> reached;
    for (const auto place : first) reach(place, reached);
    state_of({});
    start_ = &state_of(std::move(reached));
}

std::uint32_t Automaton::set_of(Ranges ranges) {
    const auto next = static_cast<std::uint32_t>(sets_.size());
    return sets_.try_emplace(std::move(ranges), next).first->second;
}

// Characters that all sets have alike are of one kind.
void Automaton::tell_kinds() {
    std::vector<std::uint32_t> bounds{0, 0x10000};
    for (const auto& [ranges, set] : sets_)
        for (const auto& [low, high] : ranges) {
            bounds.push_back(low);
            bounds.push_back(high + 1);
        }
    std::sort(bounds.begin(), bounds.end());
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    std::vector<std::string> members(bounds.size(), std::string(sets_.size(), '0'));
    for (const auto& [ranges, set] : sets_)
        for (const auto& [low, high] : ranges)
            for (auto b = std::lower_bound(bounds.begin(), bounds.end(), low); b != bounds.end() && *b <= high; ++b)
                members[static_cast<std::size_t>(b - bounds.begin())][set] = '1';
    std::map<std::string, std::uint8_t> kind_of;
    kinds_.resize(0x10000);
    for (std::size_t b = 0; b < bounds.size() && bounds[b] <= 0x10000; ++b) {
        if (kind_of.size() == 256 && !kind_of.contains(members[b]))
            throw std::invalid_argument("patterns: expected at most 256 kinds of characters");
        const auto kind = kind_of.try_emplace(members[b], static_cast<std::uint8_t>(kind_of.size())).first->second;
        if (bounds[b] == 0x10000) {
            wide_kind_ = kind;
            break;
        }
        const auto end = b + 1 < bounds.size() ? std::min<std::uint32_t>(bounds[b + 1], 0x10000) : 0x10000;
        std::fill(kinds_.begin() + bounds[b], kinds_.begin() + end, kind);
    }
    n_kinds_ = kind_of.size();
    has_kind_.assign(sets_.size(), std::vector<bool>(n_kinds_));
    for (const auto& [member, kind] : kind_of)
        for (std::size_t set = 0; set < member.size(); ++set) has_kind_[set][kind] = member[set] == '1';
}

// Adds the places that matter, those before a character or at the end of a rule, to which no character is needed.
void Automaton::reach(std::uint32_t from, std::vector<std::uint32_t>& reached) {
    std::vector<std::uint32_t> open{from};
    while (!open.empty()) {
        const auto place = open.back();
        open.pop_back();
        if (is_reached_[place]) continue;
        is_reached_[place] = true;
        reached.push_back(place);
        open.insert(open.end(), places_[place].empty.begin(), places_[place].empty.end());
    }
}

Automaton::State& Automaton::state_of(std::vector<std::uint32_t> places) {
    for (const auto place : places) is_reached_[place] = false;
    std::erase_if(places, [this](auto place) { return places_[place].set < 0 && places_[place].rule < 0; });
    std::sort(places.begin(), places.end());
    if (const auto found = known_.find(places); found != known_.end()) return *found->second;
    auto& state = states_.emplace_back();
    state.number = static_cast<std::uint32_t>(states_.size() - 1);
    state.rule = -1;
    for (const auto place : places)
        if (const auto rule = places_[place].rule; rule >= 0 && (state.rule < 0 || rule < state.rule)) state.rule = rule;
    state.next = std::make_unique<std::atomic<State*>[]>(n_kinds_);
    state.places = places;
    known_.emplace(std::move(places), &state);
    return state;
}

Automaton::State& Automaton::made(State& state, std::uint8_t kind) {
    const std::lock_guard lock(mutex_);
    std::vector<std::uint32_t> reached;
    for (const auto place : state.places)
        if (const auto set = places_[place].set; set >= 0 && has_kind_[static_cast<std::size_t>(set)][kind])
            for (const auto next : places_[place].on) reach(next, reached);
    auto& next = state_of(std::move(reached));
    state.next[kind].store(&next, std::memory_order_release);
    return next;
}

// Where a scan came by without a match behind, every so many bytes: a later scan in the same state there ends at once,
// so that a text of beginnings without an end costs no square (Reps 1998, "Maximal-munch" tokenization in linear time).
struct Lexer::Failures {
    static constexpr std::size_t every = 64;
    std::unordered_set<std::uint64_t> known;
    std::vector<std::uint64_t> passed;
};

Lexer::Match Lexer::longest(std::string_view whole, std::size_t at, Failures& failures) {
    Match match{-1, at};
    auto* state = &automaton_.start();
    const char *from = whole.data(), *end = from + whole.size();
    failures.passed.clear();
    auto mark = at / Failures::every + 1;
    while (at < whole.size()) {
        if (is_ascii(from[at])) {
            state = &automaton_.next(*state, static_cast<unsigned char>(from[at++]));
        } else {
            const auto [code, n_bytes] = character_at(from + at, end);
            state = &automaton_.next(*state, code);
            at += n_bytes;
        }
        if (state->places.empty()) break;
        if (state->rule >= 0) {
            match = {state->rule, at};
            failures.passed.clear();
        }
        if (at >= mark * Failures::every) {
            mark = at / Failures::every + 1;
            const auto key = static_cast<std::uint64_t>(at) << 24 | state->number;
            if (failures.known.contains(key)) break;
            failures.passed.push_back(key);
        }
    }
    failures.known.insert(failures.passed.begin(), failures.passed.end());
    return match;
}

void Lexer::cut(Text text, Arena& arena, Words& tokens) {
    text = without_breaks(text);
    // The rules see two line breaks behind a text, where its copy has room.
    static_assert(padding >= 2);
    text.data()[text.size()] = text.data()[text.size() + 1] = '\n';
    const std::string_view whole(text.data(), text.size() + 2);
    Failures failures;
    std::size_t at = 0;
    while (at < text.size()) {
        const auto match = longest(whole, at, failures);
        if (match.rule < 0) {
            at += character_at(text.data() + at, text.data() + text.size()).n_bytes;
            continue;
        }
        const auto& rule = rules_[static_cast<std::size_t>(match.rule)];
        auto end = match.end;
        for (std::size_t n = rule.tail; n > 0; --n)
            do --end;
            while (end > at && is_continuation(whole[end]));
        if (rule.head > 0) {
            end = at;
            for (std::size_t n = rule.head; n > 0; --n) end += character_at(whole.data() + end, whole.data() + whole.size()).n_bytes;
        }
        if (rule.ends_at_space)
            for (auto k = at; k < end;) {
                const auto [code, n_bytes] = character_at(whole.data() + k, whole.data() + end);
                if (is_lexer_space(code)) end = k;
                k += n_bytes;
            }
        const auto token = finished(rule, text.subspan(at, std::min(end, text.size()) - at), arena);
        if (!token.empty()) tokens.push_back(token);
        at = end - rule.again;
    }
    text.data()[text.size()] = text.data()[text.size() + 1] = '\0';
}

// The token as the rule makes it, in lower case; empty if there is none.
std::string_view Lexer::finished(const LexerRule& rule, std::span<char> token, Arena& arena) const {
    const auto keep = [&arena](std::string_view word) {
        const auto kept = arena.take(word.size());
        std::copy(word.begin(), word.end(), kept.begin());
        return std::string_view(kept.data(), kept.size());
    };
    if (rule.is_fixed) return std::string_view(rule.makes).substr(0, rule.n_makes);
    const std::string_view bytes(token.data(), token.size());
    const bool is_plain = is_ascii(bytes);
    const auto changes = [&](const auto& change) { return bytes.find(change.first) != bytes.npos; };
    if (is_plain && std::none_of(rule.changes.begin(), rule.changes.end(), changes)) {
        lower_ascii(token);
        return bytes;
    }
    auto changed = utf8_of(token);
    for (const auto& [old, by] : rule.changes)
        for (auto found = changed.find(old); found != changed.npos; found = changed.find(old, found + by.size()))
            changed.replace(found, old.size(), by);
    if (changed.empty()) changed.push_back('-');
    lower_ascii(changed);
    return keep(is_plain ? changed : lowered_wide(changed));
}

std::string Lexer::lowered_wide(std::string_view token) const {
    std::string result;
    std::uint32_t before = 0;
    const char *at = token.data(), *end = at + token.size();
    while (at < end) {
        const auto [code, n_bytes] = character_at(at, end);
        const char* next = at + n_bytes;
        const bool is_followed = next < end && is_beside_sigma(character_at(next, end).code);
        const auto found = lowered.find(code);
        // Sigma has another form at the end of a word.
        if (code == 0x3A3 && is_beside_sigma(before) && !is_followed)
            result += "\u03C2";
        else if (found != lowered.end())
            result += found->second;
        else
            result.append(at, next);
        before = code;
        at = next;
    }
    return result;
}

}  // namespace textgauge
