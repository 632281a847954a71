// What a column of texts contains that a reader of its scores may have to know of.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "texts.hpp"

namespace textgauge {

// What is no part of a text, or has several forms: see `plain.contents`.
enum Sign : std::uint16_t {
    subword = 1, special = 2, entity = 4, lost_backslash = 8, zero_width = 16, other_space = 32, other_apostrophe = 64,
    look_alike = 128, other_digit = 256, border_space = 512, spelled = 1024, escape = 2048, mojibake = 4096,
    tag = 8192
};
inline constexpr std::size_t n_signs = 14;

// See `plain.text_contents`: the numbers of texts that have each of these.
struct Contents {
    std::vector<std::uint32_t> characters;  // control characters and those outside ASCII, ascending
    std::int64_t n_lone_spaces = 0;
    std::int64_t n_spaced_stops = 0;
    std::int64_t n_words = 0;
    std::int64_t n_brackets = 0;
    std::vector<std::int64_t> signs;        // of each text that has signs, ascending: row * 2**16 + the bits of `Sign`
    std::array<std::int64_t, n_signs> n_of_signs{};  // the texts that have each

    bool operator==(const Contents&) const = default;
};

// Finds what a column contains, rows by rows: whoever reads texts looks at them while they are in the cache.
class ContentsFinder {
public:
    ContentsFinder();
    ~ContentsFinder();
    ContentsFinder(ContentsFinder&&) noexcept;

    // Rows that are behind those of the last call.
    void look(const Texts& texts, std::size_t first, std::size_t last);

    // What several found, each in the rows behind those of the one before.
    static Contents joined(std::span<ContentsFinder> finders);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// See `plain.unsplit_texts`.
std::int64_t unsplit_texts(const Texts& texts);

// Those of two columns.
std::pair<Contents, Contents> contents(const Texts& hypotheses, const Texts& references, int n_threads);

}  // namespace textgauge
