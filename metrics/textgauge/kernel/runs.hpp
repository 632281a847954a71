// Runs of bytes between separators.
#pragma once

#include <bit>
#include <cstring>
#include <span>

#include "platform.hpp"

namespace textgauge {

// Calls function(run) for the runs of bytes that are not `separator`. The function may change the bytes of its
// run. The text has `padding` bytes behind it, which get changed.
//
// Where runs begin and end is read off a bit for each byte: what is hard to guess, how long a run is,
// decides no branch.
template <class Function>
void each_run(std::span<char> text, char separator, Function function) {
    static_assert(padding >= block_bytes);
    std::memset(text.data() + text.size(), separator, padding);
    char* first = nullptr;
    std::uint64_t is_open = 0;  // whether the last byte of the block before is in a run
    // A run that ends with the text and fills a block ends in the next one.
    for (std::size_t i = 0; i <= text.size(); i += block_bytes) {
        char* block = text.data() + i;
        const auto inside = unequal_bits(block, separator), behind = inside << 1 | is_open;
        auto starts = inside & ~behind, ends = ~inside & behind;
        const auto next_start = [&] {
            first = block + std::countr_zero(starts);
            starts &= starts - 1;
        };
        if (!is_open) next_start();
        for (; ends != 0; ends &= ends - 1) {
            function(std::span(first, block + std::countr_zero(ends)));
            next_start();
        }
        is_open = inside >> 63;
    }
}

}  // namespace textgauge
