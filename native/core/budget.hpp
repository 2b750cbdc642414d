// What a long native call may spend, and the flag that stops it. Shared by threads: all members are atomic or constant.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>

namespace mingpai::core {

class Budget {
  public:
    static constexpr uint64_t kUnlimited = std::numeric_limits<uint64_t>::max();

    // seconds <= 0 means no time limit; nodes == kUnlimited no node limit.
    explicit Budget(double seconds = 0, uint64_t nodes = kUnlimited) : nodes_(nodes) { restart(seconds); }

    void restart(double seconds) {
        limited_ = seconds > 0;
        start_ = Clock::now();
        if (limited_) {
            deadline_ = start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
        }
    }
    void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
    bool is_cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

    // Charges `work` nodes; true when the call must stop. Looks at the clock: charge in batches of a thousand or so.
    bool spend(uint64_t work) {
        const uint64_t used = used_.fetch_add(work, std::memory_order_relaxed) + work;
        if (used >= nodes_ || is_cancelled() || is_late()) {
            exhausted_.store(true, std::memory_order_relaxed);
            return true;
        }
        return false;
    }
    bool is_late() const { return limited_ && Clock::now() >= deadline_; }
    bool is_exhausted() const { return exhausted_.load(std::memory_order_relaxed) || is_cancelled(); }
    uint64_t used() const { return used_.load(std::memory_order_relaxed); }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

  private:
    using Clock = std::chrono::steady_clock;
    uint64_t nodes_;
    bool limited_ = false;
    Clock::time_point start_{}, deadline_{};
    std::atomic<uint64_t> used_{0};
    std::atomic<bool> cancelled_{false}, exhausted_{false};
};

}  // namespace mingpai::core
