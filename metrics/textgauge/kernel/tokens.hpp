// The seam: texts as integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace textgauge {

using Ids = std::span<const std::uint32_t>;

// Leaves numbers without a value that are none of a copy: threads fill them, each its own pages of memory.
template <class T>
struct Unset : std::allocator<T> {
    template <class Other>
    struct rebind {
        using other = Unset<Other>;
    };
    template <class Other, class... Values>
    void construct(Other* place, Values&&... values) {
        if constexpr (sizeof...(Values) == 0)
            ::new (static_cast<void*>(place)) Other;
        else
            ::new (static_cast<void*>(place)) Other(std::forward<Values>(values)...);
    }
};
template <class T>
using UnsetVector = std::vector<T, Unset<T>>;
using IdVector = UnsetVector<std::uint32_t>;

// The tokens that a segment may have: ids and places have 32 bits, and the last numbers stand for none.
inline constexpr std::size_t largest_segment = 0xFFFFFFFD;

// The tokens of many segments.
//
// In a segment tokens have dense ids, so that a table of its tokens is an array. The texts of a
// segment stand together, the hypothesis first, then its references.
struct Tokens {
    IdVector ids;                               // shape (n_tokens,)
    UnsetVector<std::int64_t> offsets;          // shape (n_texts + 1,), into ids
    UnsetVector<std::int64_t> segments;         // shape (n_segments + 1,), into texts
    IdVector sentence_ids;                      // empty where the sentences hold the same tokens as the texts
    UnsetVector<std::int64_t> sentence_offsets; // shape (n_sentences + 1,), into sentence_ids, or into ids
    UnsetVector<std::int64_t> text_sentences;   // shape (n_texts + 1,), into sentences
    bool has_own_sentences = false;             // whether sentence_ids is an array of its own
    std::optional<std::size_t> counted_empty;   // the texts without tokens, where they were counted

    std::size_t n_segments() const { return segments.size() - 1; }
    std::size_t n_texts() const { return offsets.size() - 1; }

    // The texts without tokens.
    std::size_t n_empty() const {
        if (counted_empty) return *counted_empty;
        std::size_t n = 0;
        for (std::size_t t = 0; t < n_texts(); ++t) n += offsets[t] == offsets[t + 1];
        return n;
    }

    // Whether every text has one token.
    bool are_single() const { return ids.size() == n_texts() && n_empty() == 0; }

    Ids text(std::size_t t) const {
        return Ids(ids).subspan(offsets[t], offsets[t + 1] - offsets[t]);
    }
    Ids sentence(std::size_t k) const {
        return Ids(has_own_sentences ? sentence_ids : ids)
            .subspan(sentence_offsets[k], sentence_offsets[k + 1] - sentence_offsets[k]);
    }
    // An upper bound of the ids of a segment: dense ids are below the number of its tokens.
    std::size_t n_tokens(std::size_t segment) const {
        const auto first = segments[segment], last = segments[segment + 1];
        std::size_t n = offsets[last] - offsets[first];
        if (has_own_sentences)
            n += sentence_offsets[text_sentences[last]] - sentence_offsets[text_sentences[first]];
        return n;
    }
};

}  // namespace textgauge
