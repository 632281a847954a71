// Memory for the copies of texts that tokenizers work on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "platform.hpp"

namespace textgauge {

// Hands out memory that stays where it is until all of it is taken back.
class Arena {
public:
    Arena() = default;
    Arena(Arena&&) = default;
    Arena& operator=(Arena&&) = default;

    // Bytes without a value, with `padding` zero bytes behind them.
    std::span<char> take(std::size_t n_bytes) {
        const auto n_wanted = n_bytes + padding;
        if (n_wanted > left_.size()) add_chunk(n_wanted);
        const auto taken = left_.first(n_bytes);
        std::memset(taken.data() + n_bytes, 0, padding);
        left_ = left_.subspan(n_wanted);
        return taken;
    }

    // What was needed in several chunks will next time be in one.
    void clear() {
        if (chunks_.size() > 1) {
            const auto n_bytes = n_bytes_;
            chunks_.clear();
            n_bytes_ = 0;
            add_chunk(n_bytes);
        } else if (!chunks_.empty()) {
            left_ = {chunks_.back().get(), n_bytes_};
        }
    }

private:
    static constexpr std::size_t smallest = 4096;

    void add_chunk(std::size_t n_bytes) {
        const auto size = std::max({n_bytes, smallest, n_bytes_});
        chunks_.push_back(std::make_unique_for_overwrite<char[]>(size));
        n_bytes_ += size;
        left_ = {chunks_.back().get(), size};
    }

    std::vector<std::unique_ptr<char[]>> chunks_;
    std::size_t n_bytes_ = 0;  // of all chunks
    std::span<char> left_;     // of the last chunk
};

}  // namespace textgauge
