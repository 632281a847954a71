// What is put back where a scope ends, also by an exception.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "tokens.hpp"

namespace textgauge {

// A table by id of which a scope may change the cells of a text's ids: they are 0 before and after.
template <class Cell>
class Cells {
public:
    // `n_ids` is above all ids; the text must stay.
    Cells(std::vector<Cell>& cells, Ids text, std::size_t n_ids) : cells_(cells), text_(text) {
        if (cells.size() < n_ids) cells.resize(n_ids);
    }
    ~Cells() {
        for (const auto id : text_) cells_[id] = 0;
    }
    Cells(const Cells&) = delete;
    Cells& operator=(const Cells&) = delete;

    Cell& operator[](std::uint32_t id) { return cells_[id]; }

private:
    std::vector<Cell>& cells_;
    Ids text_;
};

// What is open until it goes away.
struct Close {
    template <class T>
    void operator()(T* open) const {
        open->close();
    }
};
template <class T>
using Opened = std::unique_ptr<T, Close>;

}  // namespace textgauge
