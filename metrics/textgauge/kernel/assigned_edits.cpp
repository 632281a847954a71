#include "assigned_edits.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

namespace textgauge {
namespace {

// The largest number where that is too small.
template <class Size>
Size product_of_sizes(Size a, Size b) {
    constexpr auto most = std::numeric_limits<Size>::max();
    return b != 0 && a > most / b ? most : a * b;
}

std::size_t words_in(std::span<const Ids> texts) {
    std::size_t n = 0;
    for (const auto& text : texts) n += text.size();
    return n;
}

// What may have been heard of every channel once some utterances were said: the costs of places that are in a box, among
// them all that are on a way with no more edits than a limit. A cost is edits, and below them the substitutions: of equally
// many edits those with fewer substitutions are less.
template <class Cost, int half>
class PlaceCosts {
public:
    static constexpr Cost one_edit = Cost{1} << half, one_substitution = one_edit + 1;
    // Costs of places without a way; utterances add less than is left above them.
    static constexpr Cost no_way = std::numeric_limits<Cost>::max() / 2;

    PlaceCosts(std::span<const Ids> channels, std::span<const Ids> utterances, std::size_t n_more)
        : channels_(channels), utterances_(utterances), n_heard_(words_in(channels)), n_more_(n_more) {}

    // Says all utterances, behind which as many words are to come; false where more edits than the limit are needed.
    bool say_all(std::size_t limit, Stop& stop) {
        limit_ = limit;
        auto n_to_come = words_in(utterances_) + n_more_;
        if (n_heard_ > limit + n_to_come || n_to_come > limit + n_heard_) return false;
        begin((limit + n_heard_ - n_to_come) / 2);
        for (const auto& utterance : utterances_) {
            n_to_come -= utterance.size();
            if (!utterance.empty() && !(say(utterance, stop) && keep(n_to_come))) return false;
        }
        return true;
    }

    // Says all utterances, each time in a small box around the place that promises the fewest edits, and returns how many
    // these were in the end: not fewer than are needed.
    std::size_t few_edits(Stop& stop) {
        limit_ = n_heard_ + words_in(utterances_) + n_more_;
        width_ = 16;
        while (width_ > 1 && std::pow(4.0 * static_cast<double>(width_), static_cast<double>(channels_.size())) > most_near) width_ /= 2;
        begin(width_);
        auto n_to_come = words_in(utterances_) + n_more_;
        auto fewest = limit_;
        for (const auto& utterance : utterances_) {
            n_to_come -= utterance.size();
            if (!utterance.empty() && !say(utterance, stop)) return limit_;
            if (!utterance.empty()) fewest = keep_near(n_to_come);
        }
        return fewest;
    }

    // Of all words of the channels, once all is said.
    Cost last() const { return costs_.back(); }

    // Calls visit(place, cost) with the words that were heard of every channel, those of the first channel fastest.
    template <class Visit>
    void each(Visit visit, Stop& stop) const {
        auto place = first_;
        for (const auto cost : costs_) {
            if (stop.asked(1)) return;
            visit(std::span<const std::size_t>(place), cost);
            for (std::size_t c = 0; c < place.size() && ++place[c] == first_[c] + sizes_[c]; ++c) place[c] = first_[c];
        }
    }

    // Of a place, which need not be in the box.
    Cost at(std::span<const std::size_t> place) const {
        std::size_t index = 0;
        for (auto c = place.size(); c-- > 0;) {
            if (place[c] < first_[c] || place[c] >= first_[c] + sizes_[c]) return no_way;
            index = index * sizes_[c] + place[c] - first_[c];
        }
        return costs_[index];
    }

private:
    static constexpr std::size_t most_lanes = 64, most_near = 4096;

    // Nothing is said: all words before a place are insertions.
    void begin(std::size_t most) {
        first_.assign(channels_.size(), 0);
        sizes_.resize(channels_.size());
        for (std::size_t c = 0; c < sizes_.size(); ++c) sizes_[c] = std::min(channels_[c].size(), most) + 1;
        costs_.assign(n_places(sizes_), 0);
        std::size_t stride = 1;
        for (const auto size : sizes_) {
            for (auto i = stride; i < stride * size; ++i) costs_[i] = costs_[i - stride] + one_edit;
            stride *= size;
        }
    }

    static std::size_t n_places(const std::vector<std::size_t>& sizes) {
        return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, product_of_sizes<std::size_t>);
    }

    // An utterance moves on in one channel by its words; more would be insertions, which are places of the box before.
    bool say(Ids utterance, Stop& stop) {
        said_sizes_ = sizes_;
        for (std::size_t c = 0; c < sizes_.size(); ++c)
            said_sizes_[c] = std::min(sizes_[c] + utterance.size(), channels_[c].size() + 1 - first_[c]);
        said_.assign(n_places(said_sizes_), no_way);
        std::size_t stride = 1, said_stride = 1;
        for (std::size_t c = 0; c < sizes_.size(); ++c) {
            // Places of a channel wait for those before: lanes of them go on together.
            const auto n_lanes = costs_.size() / sizes_[c];
            others_.assign(sizes_.size(), 0);
            // Equal parts of long rows, whose places are neighbours, or many lanes of short ones.
            const auto n_row = c > 0 && sizes_[0] >= most_lanes / 2 ? sizes_[0] : n_lanes;
            const auto n_parts = (n_row + most_lanes - 1) / most_lanes;
            for (std::size_t row = 0; row < n_lanes; row += n_row)
                for (std::size_t part = 0, said = 0; part < n_parts; ++part) {
                    const auto n = (n_row - said) / (n_parts - part);
                    said += n;
                    for (std::size_t l = 0; l < n; ++l) next_lane(c, l);
                    if (!say_in(c, utterance, n, stride, said_stride, stop)) return false;
                }
            stride *= sizes_[c];
            said_stride *= said_sizes_[c];
        }
        return true;
    }

    // Notes where a lane begins in both tables, and goes on to the next one.
    void next_lane(std::size_t channel, std::size_t lane) {
        std::size_t from = 0, to = 0;
        for (auto c = others_.size(); c-- > 0;) {
            from = from * sizes_[c] + others_[c];
            to = to * said_sizes_[c] + others_[c];
        }
        from_[lane] = from;
        to_[lane] = to;
        for (std::size_t c = 0; c < others_.size(); ++c) {
            if (c == channel) continue;
            if (++others_[c] < sizes_[c]) return;
            others_[c] = 0;
        }
    }

    bool say_in(std::size_t c, Ids utterance, std::size_t n, std::size_t stride, std::size_t said_stride, Stop& stop) {
        const auto n_before = sizes_[c], n_after = said_sizes_[c];
        tried_.resize(n_after * n);
        const auto are_neighbours = stride > 1 && from_[n - 1] - from_[0] == n - 1;
        if (stride == 1)
            for (std::size_t l = 0; l < n; ++l)
                for (std::size_t j = 0; j < n_before; ++j) tried_[j * n + l] = costs_[from_[l] + j];
        else if (are_neighbours)
            for (std::size_t j = 0; j < n_before; ++j) std::copy_n(costs_.data() + from_[0] + j * stride, n, tried_.data() + j * n);
        else
            for (std::size_t j = 0; j < n_before; ++j)
                for (std::size_t l = 0; l < n; ++l) tried_[j * n + l] = costs_[from_[l] + j * stride];
        std::fill(tried_.begin() + static_cast<std::ptrdiff_t>(n_before * n), tried_.end(), no_way);
        const auto heard = channels_[c].subspan(first_[c]);
        auto n_reached = n_before;
        for (const auto word : utterance) {
            if (stop.asked(n_reached * n)) return false;
            n_reached = std::min(n_reached + 1, n_after);
            say_word(word, heard.first(n_reached - 1), n);
        }
        const auto take = [](Cost& best, Cost cost) { best = cost < best ? cost : best; };
        if (said_stride == 1)
            for (std::size_t l = 0; l < n; ++l)
                for (std::size_t j = 0; j < n_after; ++j) take(said_[to_[l] + j], tried_[j * n + l]);
        else if (are_neighbours && to_[n - 1] - to_[0] == n - 1)
            for (std::size_t j = 0; j < n_after; ++j) {
                auto* const best = said_.data() + to_[0] + j * said_stride;
                const auto* const cost = tried_.data() + j * n;
                for (std::size_t l = 0; l < n; ++l) best[l] = std::min(best[l], cost[l]);
            }
        else
            for (std::size_t j = 0; j < n_after; ++j)
                for (std::size_t l = 0; l < n; ++l) take(said_[to_[l] + j * said_stride], tried_[j * n + l]);
        return true;
    }

    // One more word of an utterance, in lanes of places after none, or some, of the words of a channel.
    void say_word(std::uint32_t word, Ids heard, std::size_t n) {
        auto* const before = diagonal_.data();
        for (std::size_t l = 0; l < n; ++l) {
            before[l] = tried_[l];
            tried_[l] += one_edit;
        }
        for (std::size_t j = 0; j < heard.size(); ++j) {
            const auto cost = heard[j] == word ? Cost{0} : one_substitution;
            const auto* const left = tried_.data() + j * n;
            auto* const here = tried_.data() + (j + 1) * n;
            for (std::size_t l = 0; l < n; ++l) {
                const auto up = here[l], edit = std::min(up, left[l]) + one_edit, same = before[l] + cost;
                here[l] = edit < same ? edit : same;
                before[l] = up;
            }
        }
    }

    // How many words of the channels are left at the first place of the box, less those to come.
    std::int64_t n_left(std::size_t n_to_come) const {
        auto n = static_cast<std::int64_t>(n_heard_) - static_cast<std::int64_t>(n_to_come);
        for (const auto first : first_) n -= static_cast<std::int64_t>(first);
        return n;
    }

    // Calls visit(first, row, n) for every row of places of the first channel, after which n words are left.
    template <class Visit>
    void each_row(std::size_t n_to_come, Visit visit) {
        auto& row = others_;
        row.assign(sizes_.size(), 0);
        const auto at_first = n_left(n_to_come);
        for (std::size_t begin = 0; begin < said_.size(); begin += said_sizes_[0]) {
            auto n = at_first;
            for (std::size_t c = 1; c < row.size(); ++c) n -= static_cast<std::int64_t>(row[c]);
            visit(said_.data() + begin, row, n);
            row[0] = 0;
            for (std::size_t c = 1; c < row.size() && ++row[c] == said_sizes_[c]; ++c) row[c] = 0;
        }
    }

    // At least as many edits follow as the words that are left on both sides differ in number.
    static std::int64_t edits_in_all(Cost cost, std::int64_t n) { return static_cast<std::int64_t>(cost >> half) + std::abs(n); }

    // Keeps the box of the places on ways with no more edits than the limit. On no way this bound goes down.
    bool keep(std::size_t n_to_come) {
        const auto size = said_sizes_[0];
        low_ = said_sizes_;
        high_.assign(said_sizes_.size(), 0);
        const auto limit = static_cast<std::int64_t>(limit_);
        each_row(n_to_come, [&](const Cost* costs, std::vector<std::size_t>& row, std::int64_t n) {
            const auto is_kept = [&](std::size_t i) { return edits_in_all(costs[i], n - static_cast<std::int64_t>(i)) <= limit; };
            std::size_t left = 0, right = size;
            while (left < size && !is_kept(left)) ++left;
            if (left == size) return;
            while (!is_kept(right - 1)) --right;
            row[0] = left;
            for (std::size_t c = 0; c < row.size(); ++c) {
                low_[c] = std::min(low_[c], row[c]);
                high_[c] = std::max(high_[c], row[c]);
            }
            high_[0] = std::max(high_[0], right - 1);
        });
        if (low_[0] == size) return false;
        shrink();
        return true;
    }

    // Keeps a box around the first of the places with the fewest edits, and returns these.
    std::size_t keep_near(std::size_t n_to_come) {
        auto fewest = std::numeric_limits<std::int64_t>::max();
        each_row(n_to_come, [&](const Cost* costs, std::vector<std::size_t>& row, std::int64_t n) {
            for (std::size_t i = 0; i < said_sizes_[0]; ++i) {
                const auto edits = edits_in_all(costs[i], n - static_cast<std::int64_t>(i));
                if (edits >= fewest) continue;
                fewest = edits;
                low_ = row;
                low_[0] = i;
            }
        });
        high_ = low_;
        for (std::size_t c = 0; c < low_.size(); ++c) {
            high_[c] = std::min(high_[c] + width_, said_sizes_[c] - 1);
            low_[c] -= std::min(low_[c], width_);
        }
        shrink();
        return static_cast<std::size_t>(fewest);
    }

    // Leaves the box from the low to the high places, inclusive.
    void shrink() {
        for (std::size_t c = 0; c < low_.size(); ++c) {
            sizes_[c] = high_[c] - low_[c] + 1;
            first_[c] += low_[c];
        }
        if (sizes_ == said_sizes_) {
            costs_.swap(said_);
            return;
        }
        costs_.resize(n_places(sizes_));
        auto& row = others_;
        row = low_;
        for (std::size_t begin = 0; begin < costs_.size(); begin += sizes_[0]) {
            std::size_t from = 0;
            for (auto c = row.size(); c-- > 0;) from = from * said_sizes_[c] + row[c];
            std::copy_n(said_.begin() + static_cast<std::ptrdiff_t>(from), sizes_[0], costs_.begin() + static_cast<std::ptrdiff_t>(begin));
            for (std::size_t c = 1; c < row.size() && ++row[c] > high_[c]; ++c) row[c] = low_[c];
        }
    }

    std::span<const Ids> channels_, utterances_;
    std::size_t n_heard_, n_more_, limit_ = 0, width_ = 0;
    std::vector<std::size_t> first_, sizes_, said_sizes_, others_, low_, high_;  // by channel
    std::vector<Cost> costs_, said_, tried_;
    std::array<Cost, most_lanes> diagonal_;
    std::array<std::size_t, most_lanes> from_, to_;
};

// The least cost of all assignments.
template <class Costs>
auto least_cost(std::span<const Ids> channels, std::span<const Ids> utterances, Stop& stop) {
    const auto n = words_in(channels), m = words_in(utterances);
    Costs costs(channels, utterances, 0);
    const auto enough = costs.few_edits(stop);
    // A limit that is too low costs a small part of what one does that is three times as high.
    auto limit = (n < m ? m - n : n - m) + std::max<std::size_t>(16, (n + m) / 16);
    for (; 3 * limit < enough; limit *= 2)
        if (costs.say_all(limit, stop)) return costs.last();
    if (!costs.say_all(enough, stop)) return Costs::no_way;
    return costs.last();
}

// Ends in the same order.
std::vector<std::uint32_t> turned(Ids text) { return {text.rbegin(), text.rend()}; }

// Finds the channel of every utterance: where both halves of the utterances meet, and so on in each half.
template <class Cost, int half>
class Assignment {
public:
    using Costs = PlaceCosts<Cost, half>;

    explicit Assignment(Stop& stop) : stop_(stop) {}

    // The channels and utterances, both also from behind.
    void find(const std::vector<Ids>& channels, std::span<const Ids> utterances, const std::vector<Ids>& turned_channels,
              std::span<const Ids> turned_utterances, std::size_t n_edits, std::span<std::int64_t> found) {
        if (stop_.asked(1)) return;
        const auto n = utterances.size();
        if (n == 1) {
            found[0] = channel_of(utterances[0], channels);
            return;
        }
        const auto n_first = n / 2;
        const auto before = utterances.first(n_first), after = turned_utterances.first(n - n_first);
        std::vector<std::size_t> meeting(channels.size());
        const auto n_left = meet(channels, before, turned_channels, after, n_edits, meeting);
        std::vector<Ids> heads, tails, turned_heads, turned_tails;
        for (std::size_t c = 0; c < channels.size(); ++c) {
            const auto rest = channels[c].size() - meeting[c];
            heads.push_back(channels[c].first(meeting[c]));
            tails.push_back(channels[c].last(rest));
            turned_heads.push_back(turned_channels[c].last(meeting[c]));
            turned_tails.push_back(turned_channels[c].first(rest));
        }
        find(heads, before, turned_heads, turned_utterances.last(n_first), n_left, found.first(n_first));
        find(tails, utterances.last(n - n_first), turned_tails, after, n_edits - n_left, found.last(n - n_first));
    }

private:
    // Finds the place where both halves meet, and returns the edits before it. The tables are gone when each half is divided.
    std::size_t meet(std::span<const Ids> channels, std::span<const Ids> before, std::span<const Ids> turned_channels,
                     std::span<const Ids> after, std::size_t n_edits, std::vector<std::size_t>& meeting) {
        Costs left(channels, before, words_in(after)), right(turned_channels, after, words_in(before));
        if (!left.say_all(n_edits, stop_) || !right.say_all(n_edits, stop_)) return 0;
        auto least = Costs::no_way;
        auto rest = meeting;
        left.each([&](std::span<const std::size_t> place, Cost cost) {
            for (std::size_t c = 0; c < place.size(); ++c) rest[c] = channels[c].size() - place[c];
            const auto sum = std::min(cost, least) + std::min(right.at(rest), least);
            if (sum >= least) return;
            least = sum;
            meeting.assign(place.begin(), place.end());
        }, stop_);
        return static_cast<std::size_t>(left.at(meeting) >> half);
    }

    std::int64_t channel_of(Ids utterance, const std::vector<Ids>& channels) {
        std::int64_t best = 0;
        auto least = Costs::no_way;
        for (std::size_t c = 0; c < channels.size(); ++c) {
            const auto own = std::span(channels).subspan(c, 1);
            const auto alone = Costs::one_edit * static_cast<Cost>(channels[c].size());
            const auto cost = least_cost<Costs>(own, {&utterance, 1}, stop_) - alone;
            if (c > 0 && cost >= least) continue;
            least = cost;
            best = static_cast<std::int64_t>(c);
        }
        return best;
    }

    Stop& stop_;
};

// Calls with a type for the costs of these words: all of them are edits at the most, and half of the numbers is for sums.
template <class Call>
auto with_costs(std::size_t n_words, Call call) {
    return n_words < 0x3FFF ? call(PlaceCosts<std::int32_t, 16>::one_edit) : call(PlaceCosts<std::int64_t, 31>::one_edit);
}

template <class Cost>
constexpr int half_of = sizeof(Cost) == 4 ? 16 : 31;

}  // namespace

std::uint64_t assigned_cells(std::span<const Ids> channels, std::span<const Ids> utterances) {
    auto cells = std::max<std::uint64_t>(channels.size(), 1);
    for (const auto& channel : channels) cells = product_of_sizes<std::uint64_t>(cells, channel.size() + 1);
    return product_of_sizes<std::uint64_t>(cells, std::max<std::size_t>(words_in(utterances), 1));
}

std::array<std::int64_t, 4> assigned_edits(std::span<const Ids> channels, std::span<const Ids> utterances, Stop& stop) {
    const auto n = static_cast<std::int64_t>(words_in(channels)), m = static_cast<std::int64_t>(words_in(utterances));
    if (n == 0 || m == 0) return {0, 0, m, n};
    const auto [edits, s] = with_costs(static_cast<std::size_t>(n + m), [&]<class Cost>(Cost one_edit) {
        const auto cost = least_cost<PlaceCosts<Cost, half_of<Cost>>>(channels, utterances, stop);
        return std::pair<std::int64_t, std::int64_t>(cost / one_edit, cost % one_edit);
    });
    const auto deletions = (edits - s + m - n) / 2;
    return {m - s - deletions, s, deletions, edits - s - deletions};
}

std::vector<std::int64_t> assigned_channels(std::span<const Ids> channels, std::span<const Ids> utterances, Stop& stop) {
    std::vector<std::int64_t> found(utterances.size(), channels.empty() ? -1 : 0);
    if (channels.size() < 2) return found;
    std::vector<Ids> said, turned_channels, turned_said;
    for (const auto& utterance : utterances)
        if (!utterance.empty()) said.push_back(utterance);
    if (said.empty()) return found;
    std::vector<std::vector<std::uint32_t>> backwards;
    for (const auto& channel : channels) backwards.push_back(turned(channel));
    for (const auto& utterance : said) backwards.push_back(turned(utterance));
    turned_channels.assign(backwards.begin(), backwards.begin() + static_cast<std::ptrdiff_t>(channels.size()));
    turned_said.assign(backwards.rbegin(), backwards.rend() - static_cast<std::ptrdiff_t>(channels.size()));
    std::vector<std::int64_t> of_said(said.size());
    const auto counts = assigned_edits(channels, said, stop);
    const auto n_edits = static_cast<std::size_t>(counts[1] + counts[2] + counts[3]);
    with_costs(words_in(channels) + words_in(said), [&]<class Cost>(Cost) {
        Assignment<Cost, half_of<Cost>>(stop).find({channels.begin(), channels.end()}, said, turned_channels, turned_said, n_edits, of_said);
        return 0;
    });
    auto next = of_said.begin();
    for (std::size_t u = 0; u < found.size(); ++u)
        if (!utterances[u].empty()) found[u] = *next++;
    return found;
}

}  // namespace textgauge
