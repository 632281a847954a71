// What is not standard C++, and what depends on the machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#if defined(_MSC_VER) && defined(_M_X64)
#include <intrin.h>
#endif
#if defined(__SSE2__) || (defined(_MSC_VER) && defined(_M_X64))
#define TEXTGAUGE_SSE2
#include <emmintrin.h>
#endif
// Compilers that make functions for a processor beside those for all.
#if defined(TEXTGAUGE_SSE2) && (defined(__GNUC__) || defined(__clang__))
#define TEXTGAUGE_AVX2
#include <immintrin.h>
#endif

// A function that is called seldom, and kept out of the loops around it.
#if defined(__GNUC__) || defined(__clang__)
#define TEXTGAUGE_SELDOM __attribute__((noinline, cold))
#else
#define TEXTGAUGE_SELDOM
#endif

namespace textgauge {

// Loads of whole words and blocks may read this many bytes behind the end of what they are asked for.
inline constexpr std::size_t padding = 64;

// The product of two words, its halves folded onto each other.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
    // `__extension__` keeps -Wpedantic silent.
    __extension__ typedef unsigned __int128 Wide;
    const auto product = static_cast<Wide>(a) * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#elif defined(_MSC_VER) && defined(_M_X64)
    std::uint64_t high;
    const auto low = _umul128(a, b, &high);
    return low ^ high;
#else
    const std::uint64_t low_mask = 0xFFFFFFFF;
    const auto a0 = a & low_mask, a1 = a >> 32, b0 = b & low_mask, b1 = b >> 32;
    const auto low = a0 * b0, high = a1 * b1, left = a1 * b0, right = a0 * b1;
    const auto middle = (low >> 32) + (left & low_mask) + (right & low_mask);
    return ((low & low_mask) | middle << 32) ^ (high + (left >> 32) + (right >> 32) + (middle >> 32));
#endif
}

// Asks for memory that is soon read, so many bytes behind an address; any will do.
inline void prefetch(const char* address, std::size_t n_behind = 0) {
    // A number, as a pointer must not leave what it points into.
    [[maybe_unused]] const auto* const bytes =
        reinterpret_cast<const char*>(reinterpret_cast<std::uintptr_t>(address) + n_behind);
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(bytes);
#elif defined(TEXTGAUGE_SSE2)
    _mm_prefetch(bytes, _MM_HINT_T0);
#endif
}

inline std::uint64_t load_word(const char* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// Four bytes as a number, the first one lowest.
inline std::uint32_t first_bytes(const char* bytes) {
    const auto byte = [bytes](int i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])} << 8 * i; };
    return byte(0) | byte(1) | byte(2) | byte(3);
}

// The bytes of a short word as two numbers: at most fifteen, zeros behind them, and last how many they are.
struct ShortWord {
    std::uint64_t low, high;

    static constexpr std::size_t longest = 15;
    bool operator==(const ShortWord&) const = default;
};

// By number of bytes: all ones in the first ones of sixteen, and how many they are as the last one.
struct ShortWordMask {
    ShortWord ones, count;
};
inline constexpr auto short_word_masks = [] {
    std::array<ShortWordMask, ShortWord::longest + 1> masks{};
    for (std::size_t n = 0; n < masks.size(); ++n) {
        std::array<std::uint8_t, 16> ones{}, count{};
        for (std::size_t i = 0; i < n; ++i) ones[i] = 0xFF;
        count.back() = static_cast<std::uint8_t>(n);
        masks[n] = {std::bit_cast<ShortWord>(ones), std::bit_cast<ShortWord>(count)};
    }
    return masks;
}();

// Reads sixteen bytes whatever the length, without a branch: how long the next word is, is hard to guess.
inline ShortWord short_word(const char* bytes, std::size_t n_bytes) {
    const auto& [ones, count] = short_word_masks[n_bytes];
    return {load_word(bytes) & ones.low, (load_word(bytes + 8) & ones.high) | count.high};
}

inline constexpr std::size_t lane_bytes = 16;

// One bit per byte of a lane, set where the byte is one of `bytes`; that of the first byte is the lowest.
inline std::uint32_t equal_bits(const char* lane, std::string_view bytes) {
#if defined(TEXTGAUGE_SSE2)
    const auto given = _mm_loadu_si128(reinterpret_cast<const __m128i*>(lane));
    auto found = _mm_setzero_si128();
    for (const char byte : bytes) found = _mm_or_si128(found, _mm_cmpeq_epi8(given, _mm_set1_epi8(byte)));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(found));
#else
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < lane_bytes; ++i)
        bits |= static_cast<std::uint32_t>(bytes.find(lane[i]) != bytes.npos) << i;
    return bits;
#endif
}

inline bool is_unusual(char byte) {
    return static_cast<signed char>(byte) < 0x20 || (byte & 0xDF) == '@' || byte == '#' || byte == '&' || byte == '<' ||
           byte == '[' || byte == '\\';
}

// The same for bytes of control characters below 0x20, of characters outside ASCII, and for `@`, `` ` ``, `#`, `&`, `<`,
// `[` and the backslash, with which signs begin that are no part of a text.
inline std::uint32_t unusual_bits(const char* lane) {
#if defined(TEXTGAUGE_SSE2)
    const auto given = _mm_loadu_si128(reinterpret_cast<const __m128i*>(lane));
    const auto are = [given](char byte) { return _mm_cmpeq_epi8(given, _mm_set1_epi8(byte)); };
    // `@` and the grave accent differ in one bit.
    const auto both = _mm_cmpeq_epi8(_mm_and_si128(given, _mm_set1_epi8(static_cast<char>(0xDF))), _mm_set1_epi8('@'));
    const auto more = _mm_or_si128(are('<'), _mm_or_si128(are('['), are('\\')));
    const auto some = _mm_or_si128(_mm_or_si128(are('#'), are('&')), more);
    const auto others = _mm_cmplt_epi8(given, _mm_set1_epi8(0x20));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(both, some), others)));
#else
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < lane_bytes; ++i) bits |= static_cast<std::uint32_t>(is_unusual(lane[i])) << i;
    return bits;
#endif
}

// The same for bytes that go on with a character outside ASCII.
inline std::uint32_t continuation_bits(const char* lane) {
#if defined(TEXTGAUGE_SSE2)
    const auto given = _mm_loadu_si128(reinterpret_cast<const __m128i*>(lane));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_cmplt_epi8(given, _mm_set1_epi8(static_cast<char>(0xC0)))));
#else
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < lane_bytes; ++i) bits |= static_cast<std::uint32_t>((lane[i] & 0xC0) == 0x80) << i;
    return bits;
#endif
}

// Whether a byte begins a Chinese character (U+4000 to U+9FFF) or a Korean syllable (U+B000 to U+D7FF).
inline bool begins_han_or_hangul(char byte) {
    return static_cast<signed char>(byte) >= -0x1C && static_cast<signed char>(byte) <= -0x13 && byte != '\xEA';
}

// One bit per byte of a lane, set where it is such a byte.
inline std::uint32_t han_or_hangul_bits(const char* lane) {
#if defined(TEXTGAUGE_SSE2)
    const auto given = _mm_loadu_si128(reinterpret_cast<const __m128i*>(lane));
    const auto others = _mm_or_si128(_mm_cmpgt_epi8(given, _mm_set1_epi8(-0x13)),
                                     _mm_cmpeq_epi8(given, _mm_set1_epi8('\xEA')));
    const auto found = _mm_andnot_si128(others, _mm_cmpgt_epi8(given, _mm_set1_epi8(-0x1D)));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(found));
#else
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < lane_bytes; ++i) bits |= static_cast<std::uint32_t>(begins_han_or_hangul(lane[i])) << i;
    return bits;
#endif
}

inline constexpr std::size_t block_bytes = 64;

// A bit for each byte of a text of at most a block that is unusual and begins a character; of the Chinese and Korean
// ones only the first.
inline std::uint64_t unusual_begins(std::string_view text) {
    std::uint64_t bits = 0, many = 0;
    if (text.size() < lane_bytes) {
        for (std::size_t i = 0; i < text.size(); ++i) {
            bits |= std::uint64_t{is_unusual(text[i]) && (text[i] & 0xC0) != 0x80} << i;
            many |= std::uint64_t{begins_han_or_hangul(text[i])} << i;
        }
    } else {
        // Lanes may overlap. As many of each text need no branch that is hard to guess.
        for (std::size_t i = 0; i < block_bytes; i += lane_bytes) {
            const auto place = std::min(i, text.size() - lane_bytes);
            const char* const lane = text.data() + place;
            bits |= std::uint64_t{unusual_bits(lane) & ~continuation_bits(lane)} << place;
            many |= std::uint64_t{han_or_hangul_bits(lane)} << place;
        }
    }
    return bits & ~(many & (many - 1));
}

// Texts of more bytes are no single words.
inline constexpr std::size_t longest_word = 64;

// Which of some texts are odd. A text is odd if it has a byte that `is_unusual`, begins or ends with a space, may begin
// with two words of one character, or has fewer than four bytes.
struct OddTexts {
    static constexpr std::size_t most = 128;

    std::array<std::uint8_t, most> rows;
    std::size_t n_rows = 0;
    std::int64_t n_words = 0;         // of the other texts: those of at most `longest_word` bytes without a space
    std::int64_t n_spaced_stops = 0;  // of the other texts: those that end in a space and a full stop

    void add(std::size_t row, bool is_odd, bool is_word = false, bool has_spaced_stop = false) {
        rows[n_rows] = static_cast<std::uint8_t>(row);
        n_rows += is_odd;
        n_words += is_word & !is_odd;
        n_spaced_stops += has_spaced_stop & !is_odd;
    }
};
inline constexpr std::size_t shortest_even_text = 4;

// Whether any byte of a text `is_unusual`. The last lane may overlap what was looked at.
inline bool has_unusual(std::string_view text) {
    if (text.size() < lane_bytes) return std::ranges::any_of(text, is_unusual);
    std::uint32_t bits = 0;
    for (std::size_t first = 0; first < text.size(); first += lane_bytes)
        bits |= unusual_bits(text.data() + std::min(first, text.size() - lane_bytes));
    return bits != 0;
}

// Of the first `OddTexts::most` texts; those behind them are only asked for early.
inline OddTexts odd_texts(std::span<const std::string_view> texts) {
    OddTexts found;
    for (std::size_t row = 0, n = std::min(texts.size(), OddTexts::most); row < n; ++row) {
        const auto text = texts[row];
        if (row + 8 < texts.size()) prefetch(texts[row + 8].data());
        const bool is_odd = text.size() < shortest_even_text || text.front() == ' ' || text.back() == ' ' ||
                            (text[1] == ' ' && (text[2] == ' ' || text[3] == ' ')) || has_unusual(text);
        found.add(row, is_odd, text.size() <= longest_word && text.find(' ') == text.npos, text.ends_with(" ."));
    }
    return found;
}

#if defined(TEXTGAUGE_AVX2)
#define TEXTGAUGE_BY_AVX2 __attribute__((target("avx2"))) inline

constexpr std::size_t wide_lane_bytes = 32;

TEXTGAUGE_BY_AVX2 __m256i wide_lane(const char* bytes) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}

// Bytes other than 0 where the byte of a lane `is_unusual`.
TEXTGAUGE_BY_AVX2 __m256i unusual_bytes(__m256i lane) {
    // A byte is unusual if its high half is of a class that its low half is not out of: control characters and what is
    // outside ASCII, of which a shuffle gives 0, `@` and the grave accent, `#` and `&`, `<`, `[` and the
    // backslash.
    const auto out_of = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(28, 30, 30, 26, 30, 30, 26, 30, 30, 30, 30, 14, 6, 30, 30, 30));
    const auto classes = _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 1, 4, 8, 2, 16, 2, 0, 1, 1, 1, 1, 1, 1, 1, 1));
    const auto high = _mm256_and_si256(_mm256_srli_epi16(lane, 4), _mm256_set1_epi8(0x0F));
    return _mm256_andnot_si256(_mm256_shuffle_epi8(out_of, lane), _mm256_shuffle_epi8(classes, high));
}

TEXTGAUGE_BY_AVX2 std::uint32_t byte_bits(__m256i lane) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(lane));
}

TEXTGAUGE_BY_AVX2 std::uint32_t space_bits(__m256i lane) {
    return byte_bits(_mm256_cmpeq_epi8(lane, _mm256_set1_epi8(' ')));
}

TEXTGAUGE_BY_AVX2 std::uint32_t begin_bits(__m256i lane) {
    const auto usual = _mm256_cmpeq_epi8(unusual_bytes(lane), _mm256_setzero_si256());
    const auto goes_on = _mm256_cmpgt_epi8(_mm256_set1_epi8(static_cast<char>(0xC0)), lane);
    return ~byte_bits(_mm256_or_si256(usual, goes_on));
}

TEXTGAUGE_BY_AVX2 std::uint32_t wide_han_or_hangul_bits(__m256i lane) {
    const auto others = _mm256_or_si256(_mm256_cmpgt_epi8(lane, _mm256_set1_epi8(-0x13)),
                                        _mm256_cmpeq_epi8(lane, _mm256_set1_epi8('\xEA')));
    return byte_bits(_mm256_andnot_si256(others, _mm256_cmpgt_epi8(lane, _mm256_set1_epi8(-0x1D))));
}

TEXTGAUGE_BY_AVX2 std::uint64_t unusual_begins_by_avx2(std::string_view text) {
    if (text.size() < wide_lane_bytes) return unusual_begins(text);
    const auto place = std::min(wide_lane_bytes, text.size() - wide_lane_bytes);
    const auto first = wide_lane(text.data()), last = wide_lane(text.data() + place);
    const auto bits = begin_bits(first) | std::uint64_t{begin_bits(last)} << place;
    if (bits == 0) return 0;
    const auto many = wide_han_or_hangul_bits(first) | std::uint64_t{wide_han_or_hangul_bits(last)} << place;
    return bits & ~(many & (many - 1));
}

// The bytes of a text of fewer than a lane, the first ones at its begin and the last ones at its end.
TEXTGAUGE_BY_AVX2 __m256i short_lane(const char* first, std::size_t size) {
    if (size >= lane_bytes)
        return _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(first + size - lane_bytes),
                                   reinterpret_cast<const __m128i*>(first));
    const auto word = [](std::uint64_t bytes) { return static_cast<long long>(bytes); };
    if (size < 8)
        return _mm256_set1_epi64x(word(first_bytes(first) | std::uint64_t{first_bytes(first + size - 4)} << 32));
    return _mm256_broadcastsi128_si256(_mm_set_epi64x(word(load_word(first + size - 8)), word(load_word(first))));
}

// The same in a third of the instructions, almost without branches that depend on a text.
TEXTGAUGE_BY_AVX2 OddTexts odd_texts_by_avx2(std::span<const std::string_view> texts) {
    constexpr std::size_t n_lane = wide_lane_bytes, n_ahead = 8;
    OddTexts found;
    // Local: the compiler takes a store of bytes for one that may change `found`, and would load its numbers anew.
    auto* const rows = found.rows.data();
    std::size_t n_rows = 0;
    std::int64_t n_words = 0, n_spaced_stops = 0;
    for (std::size_t row = 0, n = std::min(texts.size(), OddTexts::most); row < n; ++row) {
        const char* const first = texts[row].data();
        const auto size = texts[row].size();
        if (row + n_ahead < texts.size())
            for (std::size_t i = 0; i < 3; ++i) prefetch(texts[row + n_ahead].data(), 64 * i);
        if (size < shortest_even_text) {
            rows[n_rows++] = static_cast<std::uint8_t>(row);
            continue;
        }
        __m256i begin, end, unusual;
        if (size < n_lane) {
            begin = end = short_lane(first, size);
            unusual = unusual_bytes(begin);
        } else {
            const auto last = size - n_lane;
            begin = wide_lane(first);
            end = wide_lane(first + last);
            unusual = _mm256_or_si256(unusual_bytes(begin), unusual_bytes(end));
            // Most texts have no more lanes than six.
            for (std::size_t i = 1; i < 5; ++i)
                unusual = _mm256_or_si256(unusual, unusual_bytes(wide_lane(first + std::min(i * n_lane, last))));
            for (auto at = 5 * n_lane; at < last; at += n_lane)
                unusual = _mm256_or_si256(unusual, unusual_bytes(wide_lane(first + at)));
        }
        const auto at_begin = space_bits(begin), at_end = space_bits(end);
        const auto are_odd = at_begin | at_end >> 31 | (at_begin >> 1 & (at_begin >> 2 | at_begin >> 3));
        // Both are computed, and neither is a branch.
        const bool is_odd = ((are_odd & 1) != 0) | (_mm256_testz_si256(unusual, unusual) == 0);
        rows[n_rows] = static_cast<std::uint8_t>(row);
        n_rows += is_odd;
        // Branches that are easily guessed: in most columns all texts, or none, are like these.
        if ((at_begin | at_end) == 0 && size <= longest_word) n_words += !is_odd;
        if ((at_end >> 30 & 1) != 0 && first[size - 1] == '.') n_spaced_stops += !is_odd;
    }
    found.n_rows = n_rows;
    found.n_words = n_words;
    found.n_spaced_stops = n_spaced_stops;
    return found;
}
#endif

// The fastest of these on this machine.
inline auto unusual_begins_finder() {
#if defined(TEXTGAUGE_AVX2)
    if (__builtin_cpu_supports("avx2")) return &unusual_begins_by_avx2;
#endif
    return &unusual_begins;
}
inline auto odd_texts_finder() {
#if defined(TEXTGAUGE_AVX2)
    if (__builtin_cpu_supports("avx2")) return &odd_texts_by_avx2;
#endif
    return &odd_texts;
}

// A bit for each byte of a block that is not equal to one, that of the first byte lowest.
inline std::uint64_t unequal_bits(const char* block, char byte) {
    std::uint64_t bits = 0;
#if defined(TEXTGAUGE_SSE2)
    const auto wanted = _mm_set1_epi8(byte);
    for (int i = 0; i < 4; ++i) {
        const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
        const auto equal = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(bytes, wanted)));
        bits |= static_cast<std::uint64_t>(equal) << 16 * i;
    }
    return ~bits;
#else
    constexpr std::uint64_t ones = 0x0101010101010101, highs = 0x8080808080808080;
    for (int i = 0; i < 8; ++i) {
        const auto others = load_word(block + 8 * i) ^ (ones * static_cast<unsigned char>(byte));
        const auto unequal = ((((others & ~highs) + ~highs) | others) & highs) >> 7;
        // Each product brings one of the eight bits to the highest byte, and no two of them meet.
        constexpr auto is_little = std::endian::native == std::endian::little;
        constexpr std::uint64_t gather = is_little ? 0x0102040810204080 : 0x8040201008040201;
        bits |= unequal * gather >> 56 << 8 * i;
    }
    return bits;
#endif
}

// A bit for each byte of a block that is a small letter of ASCII or a digit.
inline std::uint64_t small_or_digit_bits(const char* block) {
    std::uint64_t bits = 0;
#if defined(TEXTGAUGE_SSE2)
    // Whether an unsigned byte is at most another one.
    const auto at_most = [](__m128i bytes, char most) {
        return _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(most)), bytes);
    };
    for (int i = 0; i < 4; ++i) {
        const auto bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + 16 * i));
        const auto found = _mm_or_si128(at_most(_mm_sub_epi8(bytes, _mm_set1_epi8('a')), 'z' - 'a'),
                                        at_most(_mm_sub_epi8(bytes, _mm_set1_epi8('0')), 9));
        bits |= static_cast<std::uint64_t>(static_cast<unsigned>(_mm_movemask_epi8(found))) << 16 * i;
    }
#else
    for (std::size_t i = 0; i < block_bytes; ++i) {
        const char c = block[i];
        bits |= static_cast<std::uint64_t>((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) << i;
    }
#endif
    return bits;
}

}  // namespace textgauge
