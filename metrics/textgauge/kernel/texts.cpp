#include "texts.hpp"

#include <array>

namespace textgauge {

namespace {

constexpr std::size_t n_ahead = 8;  // texts

// Whether a function says yes to any character outside ASCII.
template <class Function>
bool has_wide(std::string_view text, Function function) {
    if (is_ascii(text)) return false;
    const char *at = text.data(), *end = at + text.size();
    while (at < end) {
        if (is_ascii(*at)) {
            ++at;
            continue;
        }
        const auto [code, n_bytes] = character_at(at, end);
        if (function(code)) return true;
        at += n_bytes;
    }
    return false;
}

}  // namespace

std::vector<std::int64_t> outside_ascii(const Texts& texts) {
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < texts.size(); ++row) {
        // Texts of Python lie scattered.
        if (row + n_ahead < texts.size()) prefetch(texts[row + n_ahead].data());
        if (!is_ascii(texts[row])) rows.push_back(static_cast<std::int64_t>(row));
    }
    return rows;
}

std::vector<std::int64_t> cased(const Texts& texts, CharacterTable characters) {
    std::vector<std::int64_t> rows;
    for (std::size_t row = 0; row < texts.size(); ++row)
        if (has_wide(texts[row], [characters](std::uint32_t code) { return (characters[code] & cased_bit) != 0; }))
            rows.push_back(static_cast<std::int64_t>(row));
    return rows;
}

std::vector<std::uint32_t> code_pages(const Texts& texts) {
    std::array<bool, n_code_points / 256> is_seen{};
    for (const auto text : texts.views)
        has_wide(text, [&is_seen](std::uint32_t code) {
            is_seen[code >> 8] = true;
            return false;
        });
    std::vector<std::uint32_t> pages;
    for (std::uint32_t page = 0; page < is_seen.size(); ++page)
        if (is_seen[page]) pages.push_back(page);
    return pages;
}

std::vector<std::uint8_t> blank(const Texts& texts) {
    std::vector<std::uint8_t> are_blank;
    are_blank.reserve(texts.size());
    for (const auto text : texts.views) {
        const char *at = text.data(), *end = at + text.size();
        std::size_t n = 1;
        while (at < end && (n = space_at(at, end))) at += n;
        are_blank.push_back(at == end);
    }
    return are_blank;
}

}  // namespace textgauge
