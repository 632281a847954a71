#include "segments.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace textgauge {

namespace {

constexpr auto between_looks = std::chrono::milliseconds(50);
constexpr std::size_t largest_block = 256, blocks_per_thread = 16;

std::atomic<SignalCheck> signal_check{nullptr};

bool is_interrupted() {
    const auto check = signal_check.load();
    return check && check();
}

// What the threads of one call share.
struct Shared {
    std::atomic<bool> stop{false};
    std::mutex mutex;
    std::condition_variable done;
    std::exception_ptr error;  // the first one; under the mutex
    int n_running = 0;         // under the mutex

    void fail(std::exception_ptr failure) {
        const std::lock_guard lock(mutex);
        if (!error) error = failure;
        stop = true;
    }
};

void run(Shared& shared, Blocks& blocks, ThreadWork work, bool is_caller) noexcept {
    try {
        Stop stop(shared.stop, is_caller);
        work.run(work.work, blocks, stop);
    } catch (...) {
        shared.fail(std::current_exception());
    }
}

// Waits for the other threads, and looks for signals meanwhile.
void wait(Shared& shared) {
    std::unique_lock lock(shared.mutex);
    while (!shared.done.wait_for(lock, between_looks, [&] { return shared.n_running == 0; })) {
        lock.unlock();
        if (!shared.stop && is_interrupted()) shared.fail(std::make_exception_ptr(Interrupted{}));
        lock.lock();
    }
}

}  // namespace

void set_signal_check(SignalCheck check) { signal_check = check; }

Stop::Stop(std::atomic<bool>& flag, bool looks_for_signals)
    : flag_(flag), looks_for_signals_(looks_for_signals) {}

bool Stop::look() {
    // Once true it stays so: the segments that are left are not begun.
    if (flag_.load(std::memory_order_relaxed)) {
        n_steps_ = n_steps_between;
        return true;
    }
    n_steps_ = 0;
    if (!looks_for_signals_) return false;
    const auto now = std::chrono::steady_clock::now();
    // Most calls are over before the first look, which starts the clock.
    if (last_look_ == std::chrono::steady_clock::time_point{}) last_look_ = now;
    if (now - last_look_ < between_looks) return false;
    last_look_ = now;
    // Thrown and not returned: once taken, the signal's error must not get lost.
    if (is_interrupted()) throw Interrupted{};
    return false;
}

std::pair<std::size_t, std::size_t> Blocks::take() {
    const auto first = std::min(next.fetch_add(size, std::memory_order_relaxed), n_segments);
    return {first, std::min(first + size, n_segments)};
}

void on_threads(Blocks& blocks, int n_threads, ThreadWork work) {
    const auto wanted = std::min<std::size_t>(std::max(n_threads, 1), std::max<std::size_t>(blocks.n_segments, 1));
    blocks.size = std::clamp<std::size_t>(blocks.n_segments / (wanted * blocks_per_thread), 1, largest_block);
    Shared shared;
    std::vector<std::thread> threads;
    threads.reserve(wanted - 1);
    for (std::size_t i = 1; i < wanted; ++i) {
        {
            const std::lock_guard lock(shared.mutex);
            ++shared.n_running;
        }
        try {
            threads.emplace_back([&shared, &blocks, work] {
                run(shared, blocks, work, false);
                const std::lock_guard lock(shared.mutex);
                --shared.n_running;
                shared.done.notify_one();
            });
        } catch (const std::system_error&) {
            // No more threads to be had: those there are do all the work.
            const std::lock_guard lock(shared.mutex);
            --shared.n_running;
            break;
        }
    }
    run(shared, blocks, work, true);
    if (!threads.empty()) wait(shared);
    for (auto& thread : threads) thread.join();
    if (shared.error) std::rethrow_exception(shared.error);
}

}  // namespace textgauge
