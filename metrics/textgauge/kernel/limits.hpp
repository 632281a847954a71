// Texts cut to a number of words or bytes, by the rules of the ROUGE-1.5.5 script.
#pragma once

#include <cstddef>
#include <string_view>

namespace textgauge {

// Keeps the first words, words being what ASCII white space separates, and the white space
// behind them. White space at the start of a line counts as one word, as in the script, which
// splits it off as an empty one.
std::string_view first_words(std::string_view text, std::size_t n_words);

// Keeps the first bytes; newlines count for nothing, and a character is not cut in two.
std::string_view first_bytes(std::string_view text, std::size_t n_bytes);

// Cuts a text in its first line of at least so many bytes; shorter lines before it all pass.
// This is how the script limits what ROUGE-L and ROUGE-W read: it never adds up lines.
std::string_view first_bytes_of_long_line(std::string_view text, std::size_t n_bytes);

}  // namespace textgauge
