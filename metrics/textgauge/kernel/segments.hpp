// The loop over segments: on threads, and ready to stop at Ctrl-C.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <tuple>
#include <utility>

namespace textgauge {

// Thrown by `for_each_segment` after a signal; the error is then set in Python.
struct Interrupted {};

// Says whether a signal has come that ends the work. It is called without the GIL, by the thread
// that called `for_each_segment`, at most every 50 ms.
using SignalCheck = bool (*)();
void set_signal_check(SignalCheck check);

// One thread's view of whether the work is to end.
//
// A loop that may be long says how many steps it has done and goes back to its caller where the
// answer is true; its result is then not used.
class Stop {
public:
    Stop(std::atomic<bool>& flag, bool looks_for_signals);
    Stop(const Stop&) = delete;
    Stop& operator=(const Stop&) = delete;

    bool asked(std::size_t n_steps = n_steps_between) {
        n_steps_ += n_steps;
        return n_steps_ >= n_steps_between && look();
    }

private:
    static constexpr std::size_t n_steps_between = std::size_t{1} << 16;

    bool look();

    std::atomic<bool>& flag_;
    const bool looks_for_signals_;
    std::size_t n_steps_ = 0;
    std::chrono::steady_clock::time_point last_look_;
};

// Segments that threads take from a counter, block after block.
struct Blocks {
    std::atomic<std::size_t> next{0};
    std::size_t n_segments = 0;
    std::size_t size = 1;

    // The next block of segments, or an empty one.
    std::pair<std::size_t, std::size_t> take();
};
// The work of one thread, without its type: `run` takes blocks until none is left.
struct ThreadWork {
    void (*run)(void* work, Blocks& blocks, Stop& stop);
    void* work;
};
void on_threads(Blocks& blocks, int n_threads, ThreadWork work);

// Calls work(scratch, segment, stop) for every segment, on up to n_threads threads of which the
// calling one is one. Each thread makes one Scratch and takes blocks of segments from a counter.
// An exception of any thread ends the work of all and is thrown here; so is `Interrupted`.
// To be called without the GIL.
template <class Scratch, class Work>
void for_each_segment(std::size_t n_segments, int n_threads, Work work) {
    Blocks blocks;
    blocks.n_segments = n_segments;
    const auto run = [](void* erased, Blocks& all, Stop& stop) {
        auto& called = *static_cast<Work*>(erased);
        Scratch scratch;
        for (auto [first, last] = all.take(); first < last; std::tie(first, last) = all.take())
            for (auto segment = first; segment < last; ++segment) {
                if (stop.asked(64)) return;
                called(scratch, segment, stop);
            }
    };
    on_threads(blocks, n_threads, {run, &work});
}

}  // namespace textgauge
