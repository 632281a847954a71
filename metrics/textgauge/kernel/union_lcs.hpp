// The union LCS of summaries (Lin 2004, section 3.2): each sentence of the reference with all of the hypothesis.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bits.hpp"
#include "guards.hpp"
#include "lcs.hpp"
#include "segments.hpp"
#include "tokens.hpp"
#include "word_ids.hpp"

namespace textgauge {

// How often a token can count: as often as the hypothesis's sentences have it, or as both texts.
enum class Limits { sentences, texts };

// The sentences of a text, of which equal ones have the same kind: each kind is compared once.
class Sentences {
public:
    void open(const Tokens& tokens, std::size_t text);

    std::size_t size() const { return kind_of_.size(); }
    std::size_t kind_of(std::size_t sentence) const { return kind_of_[sentence]; }
    std::size_t n_kinds() const { return kinds_.size(); }
    Ids kind(std::size_t kind) const { return kinds_[kind]; }
    // The tokens of all kinds behind each other, as places; kind k has those from open(k) on.
    std::size_t open_of(std::size_t kind) const { return opens_[kind]; }
    std::size_t n_places() const { return opens_.back(); }

private:
    std::size_t add_kind(Ids sentence);
    std::size_t find_or_add(Ids sentence);

    HashKey key_ = hash_key();
    std::vector<Ids> kinds_;
    std::vector<std::size_t> opens_;       // shape (n_kinds + 1,)
    std::vector<std::uint32_t> kind_of_;   // shape (n_sentences,)
    std::vector<std::uint32_t> slots_;     // kinds by hash, or `none`
};

// The pairs of sentences of a hypothesis and its references that share a token.
class SentencePairs {
public:
    Sentences hypothesis, reference;

    [[nodiscard]] Opened<Places> open_hypothesis(const Tokens& tokens, std::size_t text, std::size_t n_ids);
    void open_reference(const Tokens& tokens, std::size_t text);

    // Marked tokens of the reference's kinds of sentences, in their places: shape (n_places,).
    std::span<std::uint8_t> marked(std::size_t kind) {
        return std::span(marked_).subspan(reference.open_of(kind), reference.kind(kind).size());
    }

    // Calls compare(hypothesis sentence, common) for every kind of hypothesis sentence that shares
    // tokens with this sentence; common are the places of these tokens in the hypothesis sentence.
    template <class Compare>
    void for_each_partner(Ids sentence, Compare compare) {
        shared_.assign(places_.n_words(), 0);
        ++n_asked_;
        for (const auto id : sentence) {
            // Only once for each kind of token: equal tokens have the same places.
            if (asked_[id] == n_asked_) continue;
            asked_[id] = n_asked_;
            places_.add_to(shared_, id);
        }
        std::size_t partner = 0;
        common_.clear();
        for (std::size_t w = 0; w < shared_.size(); ++w)
            for (auto bits = shared_[w]; bits != 0; bits &= bits - 1) {
                const auto place = word_bits * w + std::countr_zero(bits);
                if (sentence_at_[place] != partner) {
                    if (!common_.empty()) compare(hypothesis.kind(partner), std::span<const std::uint32_t>(common_));
                    common_.clear();
                    partner = sentence_at_[place];
                }
                common_.push_back(static_cast<std::uint32_t>(place - hypothesis.open_of(partner)));
            }
        if (!common_.empty()) compare(hypothesis.kind(partner), std::span<const std::uint32_t>(common_));
    }

private:
    std::vector<std::uint32_t> joined_;       // the hypothesis's kinds of sentences behind each other
    std::vector<std::uint32_t> sentence_at_;  // which one stands at each of these places
    Places places_;                           // of the tokens in `joined_`
    std::vector<std::uint64_t> asked_;        // by id the last sentence that asked for its places
    std::uint64_t n_asked_ = 0;
    std::vector<std::uint64_t> shared_;       // those that one reference sentence has too, as bits
    std::vector<std::uint32_t> common_;
    std::vector<std::uint8_t> marked_;
};

// How often each token of a reference may still count.
class Allowed {
public:
    [[nodiscard]] Opened<Allowed> open(const Tokens& tokens, std::size_t segment, std::size_t reference, Limits limits);
    bool take(std::uint32_t id) {
        if (left_[id] == 0) return false;
        --left_[id];
        return true;
    }

private:
    friend Close;

    void close();

    std::vector<std::uint32_t> left_;  // by id, zeros while closed
    std::vector<std::uint32_t> in_hypothesis_;
    Ids hypothesis_;
};

struct UnionScratch {
    SentencePairs pairs;
    Allowed allowed;
    Places places;
    std::vector<std::uint64_t> states, kept;
    LcsScratch lcs;
};

// The tokens of the union LCS with every reference of a segment, into shape (n_references,).
//
// A reference token is marked where an LCS of its sentence with any hypothesis sentence touches
// it, the LCS that `rouge_score` finds; over all sentences each token counts within its limit.
void union_lcs(const Tokens& tokens, std::size_t segment, Limits limits, std::span<std::int64_t> hits,
               UnionScratch& scratch, Stop& stop);

}  // namespace textgauge
