// What texts tell about their scripts.
#pragma once

#include <string_view>

namespace textgauge {

// See `plain.has_wide_words`.
bool has_wide_words(std::string_view text, double most, double most_of_one);

}  // namespace textgauge
