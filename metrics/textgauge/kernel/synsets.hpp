// WordNet's files as far as METEOR asks them: base forms of words, and the words of their synsets.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cutter.hpp"
#include "porter.hpp"
#include "word_ids.hpp"

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

    std::array<Part, n_parts> parts_;
    // Words; of each the senses by part, so that it is looked up once for all.
    CompactWordIds index_;
    std::vector<std::array<Senses, n_parts>> senses_of_;
    // Irregular forms; of each the base forms, in a line that begins with it.
    CompactWordIds exceptions_;
    std::vector<WordNetFiles> bases_of_;
    std::vector<std::uint32_t> senses_;
};

// The stems of words, by nltk's stemmer, and their synonyms. Each word is looked up once: for one thread at a time.
class StemsAndSynonyms {
public:
    // `lowered` returns a word in lower case.
    StemsAndSynonyms(const WordNet& net, std::string (*lowered)(std::string_view)) : net_(net), lowered_(lowered) {}

    struct Found {
        std::vector<std::uint32_t> stems;   // shape (n_words,), numbers of words; a stem is its own
        std::vector<std::int64_t> offsets;  // shape (n_words + 1,), into related
        std::vector<std::uint32_t> related; // of every word that is a stem, which words are its synonyms, ascending
    };
    // Adds to words, each of which is there once, stems that are none of them: views until the next call.
    Found find(std::vector<std::string_view>& words);

private:
    struct Names {
        std::uint32_t first = WordIds::none, n = 0;  // in names_
    };

    std::uint32_t id_of(std::string_view word);
    std::uint32_t stem_of(std::uint32_t id);
    std::span<const std::uint32_t> names_of(std::uint32_t id);
    void fit();

    const WordNet& net_;
    std::string (*lowered_)(std::string_view);
    // Words and names of synsets; of each its stem, or none where that was not asked, its synonyms, and its number in
    // the call, or none.
    CompactWordIds ids_;
    std::vector<std::uint32_t> stem_of_, number_of_;
    std::vector<Names> names_of_;
    std::vector<std::uint32_t> names_;
    std::unique_ptr<KeptWords> kept_ = std::make_unique<KeptWords>();
    std::size_t n_bytes_ = 0;  // of kept_
    StemScratch scratch_;
    std::vector<char> letters_;
    std::vector<std::string_view> read_;
};

}  // namespace textgauge
