#include "limits.hpp"

#include <algorithm>

#include "characters.hpp"

namespace textgauge {
namespace {

bool is_perl_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

// Ends a text at a byte, or at the start of the character that this byte belongs to.
std::string_view ended_at(std::string_view text, std::size_t end) {
    if (end >= text.size()) return text;
    for (int i = 0; i < 3 && end > 0 && is_continuation(text[end]); ++i) --end;
    return text.substr(0, end);
}

}  // namespace

std::string_view first_words(std::string_view text, std::size_t n_words) {
    std::size_t line = 0, used = 0;
    bool opens_line = true;
    for (std::size_t i = 0; i < text.size();) {
        if (is_perl_space(text[i])) {
            if (text[i] == '\n') {
                line = i + 1;
                opens_line = true;
            }
            ++i;
            continue;
        }
        used += opens_line && i > line ? 2 : 1;
        if (used > n_words) return text.substr(0, i);
        opens_line = false;
        while (i < text.size() && !is_perl_space(text[i])) ++i;
    }
    return text;
}

std::string_view first_bytes(std::string_view text, std::size_t n_bytes) {
    if (text.size() <= n_bytes) return text;
    std::size_t n_counted = 0, end = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n') continue;
        if (n_counted == n_bytes) return ended_at(text, end);
        ++n_counted;
        end = i + 1;
    }
    return text;
}

std::string_view first_bytes_of_long_line(std::string_view text, std::size_t n_bytes) {
    for (std::size_t line = 0; line <= text.size();) {
        const auto stop = std::min(text.find('\n', line), text.size());
        if (stop - line >= n_bytes) return ended_at(text, line + n_bytes);
        line = stop + 1;
    }
    return text;
}

}  // namespace textgauge
