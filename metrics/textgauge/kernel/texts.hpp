// Columns of text.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "characters.hpp"

namespace textgauge {

// UTF-8 texts, and what holds their bytes.
struct Texts {
    std::vector<std::string_view> views;
    std::shared_ptr<const void> holder;

    std::size_t size() const { return views.size(); }
    std::string_view operator[](std::size_t row) const { return views[row]; }
};

// Asks for the beginning of a text that is soon read: texts are anywhere in memory.
inline void prefetch_text(std::string_view text) {
    constexpr std::size_t n_line = 64, n_lines = 3;
    for (std::size_t i = 0; i < n_lines && (i == 0 || i * n_line < text.size()); ++i) prefetch(text.data(), i * n_line);
}

// Every text through a function from a view to a view of the same bytes.
template <class Function>
Texts each(const Texts& texts, Function function) {
    Texts changed{{}, texts.holder};
    changed.views.reserve(texts.size());
    for (const auto view : texts.views) changed.views.push_back(function(view));
    return changed;
}

}  // namespace textgauge
