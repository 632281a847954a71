// Prints what the functions of `platform.hpp` find in texts, for `test_platform.py`: each text is a line of hexadecimal
// digits. Compiled for a processor with vectors and for one without.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What the header finds of this compiler; the headers above have need of it.
#if defined(PORTABLE)
#undef __SSE2__
#undef __SIZEOF_INT128__
#endif
#include "platform.hpp"

using namespace textgauge;

namespace {

// A copy of so many bytes and none behind them.
struct Bytes {
    std::size_t size;
    std::unique_ptr<char[]> bytes;

    explicit Bytes(const std::string& digits) : size(digits.size() / 2), bytes(new char[size]) {
        for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(std::stoi(digits.substr(2 * i, 2), nullptr, 16));
    }
};

void print(const OddTexts& odd) {
    for (const auto row : std::span(odd.rows).first(odd.n_rows)) std::cout << int{row} << ' ';
    std::cout << "| " << odd.n_words << ' ' << odd.n_spaced_stops << '\n';
}

}  // namespace

int main() {
    std::vector<Bytes> all;
    for (std::string digits; std::getline(std::cin, digits);) all.emplace_back(digits);
    std::vector<std::string_view> texts;
    // A text without bytes may have no address.
    for (const auto& text : all) texts.emplace_back(text.size > 0 ? text.bytes.get() : nullptr, text.size);
    for (std::size_t first = 0; first < texts.size(); first += OddTexts::most) {
        const auto some = std::span(texts).subspan(first);
        print(odd_texts(some));
        print(odd_texts_finder()(some));
    }
    for (const auto text : texts) {
        const auto block = text.substr(0, block_bytes);
        const char* const bytes = block.data();
        std::cout << unusual_begins(block) << ' ' << unusual_begins_finder()(block);
        if (block.size() >= lane_bytes)
            std::cout << ' ' << equal_bits(bytes, " .a") << ' ' << unusual_bits(bytes) << ' ' << continuation_bits(bytes) << ' '
                      << folded_product(load_word(bytes), load_word(bytes + 8));
        if (block.size() >= block_bytes) std::cout << ' ' << unequal_bits(bytes, 'a') << ' ' << small_or_digit_bits(bytes);
        std::cout << '\n';
    }
}
