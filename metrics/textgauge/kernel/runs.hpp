// Runs of bytes between separators.
#pragma once

#include <bit>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "platform.hpp"

namespace textgauge {

// Appends the runs of bytes that are not `separator`. The text has `padding` bytes behind it, which
// get changed.
//
// Where runs begin and end is read off a bit for each byte, so that nothing depends on the
// length of a run but where its bits are.
inline void cut_runs(std::span<char> text, char separator, std::vector<std::string_view>& runs) {
    static_assert(padding >= block_bytes);
    std::memset(text.data() + text.size(), separator, padding);
    const char* first = nullptr;
    std::uint64_t is_open = 0;  // whether the last byte of the block before is in a run
    for (std::size_t i = 0; i < text.size(); i += block_bytes) {
        const char* block = text.data() + i;
        const auto inside = unequal_bits(block, separator), behind = inside << 1 | is_open;
        auto starts = inside & ~behind, ends = ~inside & behind;
        const auto next_start = [&] {
            first = block + std::countr_zero(starts);
            starts &= starts - 1;
        };
        if (!is_open) next_start();
        for (; ends != 0; ends &= ends - 1) {
            runs.emplace_back(first, static_cast<std::size_t>(block + std::countr_zero(ends) - first));
            next_start();
        }
        is_open = inside >> 63;
    }
    // A text that fills its last block can end inside a run.
    if (is_open) runs.emplace_back(first, static_cast<std::size_t>(text.data() + text.size() - first));
}

}  // namespace textgauge
