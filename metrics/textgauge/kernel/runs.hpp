// Runs of bytes between separators.
#pragma once

#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "platform.hpp"

namespace textgauge {

// Appends the runs of bytes that are not `separator`. The text has `padding` bytes behind it, which
// get changed.
inline void cut_runs(std::span<char> text, char separator, std::vector<std::string_view>& runs) {
    const char *at = text.data(), *end = at + text.size();
    std::memset(text.data() + text.size(), separator, padding);
    while (true) {
        while (at < end && *at == separator) ++at;
        if (at == end) return;
        const char* first = at;
        auto n = find_in_word(at, separator);
        for (; n == 8; n = find_in_word(at, separator)) at += 8;
        at += n;
        runs.emplace_back(first, static_cast<std::size_t>(at - first));
    }
}

}  // namespace textgauge
