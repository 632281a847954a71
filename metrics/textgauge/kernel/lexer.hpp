// A lexer: at each place of a text the rule with the longest match cuts the next token.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "arena.hpp"
#include "characters.hpp"
#include "tokenizers.hpp"

namespace textgauge {

// What a rule makes of its match; see `Rule` of plain/ptb.py.
struct LexerRule {
    std::size_t head = 0, tail = 0, again = 0;  // characters
    bool ends_at_space = false;
    bool is_fixed = false;  // the token becomes `makes`, if that is empty nothing
    std::string makes;
    std::size_t n_makes = 0;
    std::vector<std::pair<std::string, std::string>> changes;
};

// Regular expressions as one automaton without branches (Aho, Lam, Sethi and Ullman, "Compilers", section 3.8). Its
// states are made when a text first comes to them, under a lock; threads share them.
class Automaton {
public:
    // Patterns of characters, classes, groups, alternatives and repeats; std::invalid_argument for others.
    explicit Automaton(const std::vector<std::string>& patterns);

    struct State {
        std::vector<std::uint32_t> places;  // in the patterns, ascending; none in the state from which nothing matches
        std::int32_t rule;                  // the first whose match ends here, or -1
        std::uint32_t number;
        std::unique_ptr<std::atomic<State*>[]> next;  // by kind of character; null where not made yet
    };
    State& start() { return *start_; }
    State& next(State& state, std::uint32_t code) {
        const auto kind = code < 0x10000 ? kinds_[code] : wide_kind_;
        State* next = state.next[kind].load(std::memory_order_acquire);
        return next ? *next : made(state, kind);
    }

private:
    using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    struct Place {
        std::int32_t set = -1;                 // the characters that lead on to places[0] of `on`
        std::vector<std::uint32_t> on, empty;  // by a character; without one
        std::int32_t rule = -1;
    };
    struct Parser;

    std::uint32_t set_of(Ranges ranges);
    void tell_kinds();
    State& state_of(std::vector<std::uint32_t> places);
    State& made(State& state, std::uint8_t kind);
    void reach(std::uint32_t place, std::vector<std::uint32_t>& reached);

    std::vector<Place> places_;
    std::map<Ranges, std::uint32_t> sets_;
    std::vector<std::vector<bool>> has_kind_;  // by set and kind
    std::vector<std::uint8_t> kinds_;          // of the characters of the basic plane
    std::uint8_t wide_kind_ = 0;               // of all others
    std::size_t n_kinds_ = 0;
    std::mutex mutex_;
    std::deque<State> states_;
    std::map<std::vector<std::uint32_t>, State*> known_;
    std::vector<bool> is_reached_;
    State* start_ = nullptr;
};

// Rules, and the lower case of characters outside ASCII.
class Lexer {
public:
    Lexer(const std::vector<std::string>& patterns, std::vector<LexerRule> rules)
        : automaton_(patterns), rules_(std::move(rules)) {
        for (auto& rule : rules_) {
            lower_ascii(rule.makes);
            rule.n_makes = rule.makes.size();
            // Readers of words look beyond their end.
            rule.makes.resize(rule.n_makes + padding);
        }
    }

    // Appends the tokens of a text in lower case. Linear in the text.
    void cut(Text text, Arena& arena, Words& tokens);

    std::unordered_map<std::uint32_t, std::string> lowered;
    std::vector<std::string> dropped;  // what the tokenizer "coco" leaves out

private:
    struct Match {
        std::int32_t rule;
        std::size_t end;
    };
    struct Failures;

    Match longest(std::string_view whole, std::size_t at, Failures& failures);
    std::string_view finished(const LexerRule& rule, std::span<char> token, Arena& arena) const;
    std::string lowered_wide(std::string_view token) const;

    Automaton automaton_;
    std::vector<LexerRule> rules_;
};

}  // namespace textgauge
