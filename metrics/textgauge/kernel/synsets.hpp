// WordNet's files as far as METEOR asks them: base forms of words, and the words of their synsets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace textgauge {

// Noun, verb, adjective, adverb.
inline constexpr std::size_t n_parts = 4;
using WordNetFiles = std::array<std::string_view, n_parts>;

// Views into the files, which must stay as they are. `plain/synsets.py` has the rules.
class WordNet {
public:
    // Throws std::invalid_argument for what is damaged, as do all that read a synset: the message begins with the name
    // of the file.
    WordNet(const WordNetFiles& index, const WordNetFiles& exceptions, const WordNetFiles& data);

    // Adds the names of one word in the synsets of a lower-case word, some several times.
    void add_names(const std::string& word, std::vector<std::string_view>& names) const;
    // The same as numbers, whose names `name` returns. What was read once stays: for one thread at a time.
    void add_numbers(const std::string& word, std::vector<std::uint32_t>& numbers);
    std::string_view name(std::uint32_t number) const { return names_[number]; }
    // All words with their number of synsets.
    std::string counted() const;

private:
    struct Senses {
        std::uint32_t first = 0, n = 0;  // in senses_
    };
    struct Part {
        std::string_view data;
        // By number, those of data that do not begin at the place that is their number.
        std::vector<std::pair<std::uint32_t, std::string_view>> lines;
    };

    std::string_view line_of(std::size_t part, std::uint32_t number) const;
    void add_synset(std::size_t part, std::uint32_t number, std::vector<std::string_view>& names) const;
    // Calls visit(part, senses) for the base forms of a word.
    template <class Visit>
    void each_base(const std::string& word, Visit visit) const;
    // The names of what stands at a place of senses_, as numbers.
    std::span<const std::uint32_t> numbers_at(std::size_t part, std::size_t place);

    std::array<Part, n_parts> parts_;
    // By part; a word is looked up once for all.
    std::unordered_map<std::string_view, std::array<Senses, n_parts>> index_;
    // The base forms of a form, in a line that begins with it.
    std::unordered_map<std::string_view, WordNetFiles> exceptions_;
    std::vector<std::uint32_t> senses_;
    // Of senses that were looked up, by place: their names in numbers_.
    std::vector<Senses> read_;
    std::vector<std::uint32_t> numbers_;
    std::vector<std::string_view> names_, read_names_;
    std::unordered_map<std::string_view, std::uint32_t> number_of_;
};

}  // namespace textgauge
