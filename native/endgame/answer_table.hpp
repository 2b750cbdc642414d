// The transposition table: fixed size, exact keys, eight bytes an entry, safe to share between threads.
//
// A key has kKeyBits bits and is scrambled by a bijection; its highest bits choose the bucket and all the others are stored
// in the entry, so two different positions are never taken for one another. An entry is a single atomic word: a reader sees
// a whole entry or another whole entry, never a mixture.
//
// A value is a pair of bounds on a threshold t in 0..14: won where t < low, lost where t >= high. A position without a
// threshold uses t = 0. An entry without bounds records that so much effort was spent in vain.
#pragma once
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace mingpai::endgame {

enum class Answer : uint8_t { kLost = 0, kWon = 1, kUnknown = 2 };

inline Answer to_answer(bool won) { return won ? Answer::kWon : Answer::kLost; }
inline Answer opposite(Answer a) {
    return a == Answer::kUnknown ? a : static_cast<Answer>(1 - static_cast<uint8_t>(a));
}

class AnswerTable {
  public:
    static constexpr int kKeyBits = 62;
    static constexpr int kAnyThreshold = 14;  // the highest threshold: a win here is a win for all

    struct Probe {
        Answer answer = Answer::kUnknown;
        int effort = 0;  // log2 of the nodes last spent on the position, solved or not; 0 when it is not stored
    };

    // `max_bytes` is never exceeded. The table starts small, to stay in the cache, and grows while `is_growing`.
    explicit AnswerTable(size_t max_bytes) {
        const size_t buckets = max_bytes / sizeof(Bucket);
        max_bits_ = buckets > (size_t{1} << kMinBits) ? std::bit_width(buckets) - 1 : kMinBits;
        resize(kMinBits);
    }

    void clear() { resize(kMinBits); }
    // Takes its full size at once and stays there: needed before threads share it.
    void grow_to_limit() {
        while (bits_ < max_bits_) grow();
    }
    size_t bytes() const { return (size_t{1} << bits_) * sizeof(Bucket); }

    void prefetch(uint64_t key) const { __builtin_prefetch(&bucket_of(mix(key))); }
    Probe probe(uint64_t key, int threshold) const {
        const uint64_t mixed = mix(key);
        const Bucket& bucket = bucket_of(mixed);
        const uint64_t rest = rest_of(mixed);
        for (const auto& slot : bucket.slots) {
            const uint64_t word = slot.load(std::memory_order_relaxed);
            if (!word || (word >> kDataBits) != rest) continue;
            Probe out;
            out.effort = effort_of(word);
            if (threshold < low_of(word)) out.answer = Answer::kWon;
            if (threshold >= high_of(word)) out.answer = Answer::kLost;
            return out;
        }
        return {};
    }

    // Records that the position is won for every threshold up to, or lost for every threshold from, `threshold`.
    void store(uint64_t key, bool won, int threshold, uint64_t nodes) {
        write(key, won ? threshold + 1 : 0, won ? kNoHigh : threshold, nodes);
    }
    // Records that `nodes` nodes did not decide the position.
    void store_unknown(uint64_t key, uint64_t nodes) { write(key, 0, kNoHigh, nodes); }

  private:
    static constexpr int kSlots = 4;
    static constexpr int kBoundBits = 4, kEffortBits = 6;
    static constexpr int kDataBits = 2 * kBoundBits + kEffortBits;
    static constexpr int kMinBits = kKeyBits + kDataBits - 64;  // the fewest bucket bits that leave room for the data
    static constexpr int kNoHigh = 15;
    static constexpr int kGrowAtPercent = 60;
    static constexpr int kGrowBits = 2;

    struct alignas(32) Bucket {
        std::atomic<uint64_t> slots[kSlots];
    };

    static uint64_t mix(uint64_t x) {
        constexpr uint64_t kMask = (uint64_t{1} << kKeyBits) - 1;
        x = (x * 0x9E3779B97F4A7C15ULL) & kMask;
        x ^= x >> 32;
        x = (x * 0xD6E8FEB86659FD93ULL) & kMask;
        return x ^ (x >> 31);
    }
    static int low_of(uint64_t word) { return (word >> kBoundBits) & 15; }
    static int high_of(uint64_t word) { return kNoHigh - static_cast<int>(word & 15); }
    static int effort_of(uint64_t word) { return (word >> (2 * kBoundBits)) & ((1 << kEffortBits) - 1); }
    static uint64_t pack(uint64_t rest, int effort, int low, int high) {
        return rest << kDataBits | static_cast<uint64_t>(effort) << (2 * kBoundBits) |
               static_cast<uint64_t>(low) << kBoundBits | static_cast<uint64_t>(kNoHigh - high);
    }
    size_t index_of(uint64_t mixed) const { return mixed >> (kKeyBits - bits_); }
    uint64_t rest_of(uint64_t mixed) const { return mixed & ((uint64_t{1} << (kKeyBits - bits_)) - 1); }
    Bucket& bucket_of(uint64_t mixed) { return buckets_[index_of(mixed)]; }
    const Bucket& bucket_of(uint64_t mixed) const { return buckets_[index_of(mixed)]; }

    static constexpr size_t kLargePage = size_t{1} << 21;
    struct Free {
        void operator()(Bucket* buckets) const { ::operator delete(buckets, std::align_val_t{kLargePage}); }
    };
    using Buckets = std::unique_ptr<Bucket[], Free>;

    // Nearly every probe is a cache miss, so large pages, where the system has them, spare a page walk each.
    static Buckets allocate(size_t count) {
        const size_t bytes = count * sizeof(Bucket);
        void* place = ::operator new(bytes, std::align_val_t{kLargePage});
#if defined(__linux__)
        if (bytes >= kLargePage) madvise(place, bytes, MADV_HUGEPAGE);
#endif
        return Buckets(static_cast<Bucket*>(place));
    }

    void resize(int bits) {
        if (!buckets_ || bits != bits_) {
            buckets_.reset();
            buckets_ = allocate(size_t{1} << bits);
        }
        bits_ = bits;
        for (size_t i = 0; i < (size_t{1} << bits_); ++i) {
            for (auto& slot : buckets_[i].slots) new (&slot) std::atomic<uint64_t>(0);
        }
        used_ = 0;
    }

    void write(uint64_t key, int low, int high, uint64_t nodes) {
        const uint64_t mixed = mix(key);
        const uint64_t rest = rest_of(mixed);
        const int effort = std::bit_width(nodes | 1);
        Bucket& bucket = bucket_of(mixed);
        std::atomic<uint64_t>* victim = nullptr;
        int least = 1 << kEffortBits;
        for (auto& slot : bucket.slots) {
            const uint64_t word = slot.load(std::memory_order_relaxed);
            if (word && (word >> kDataBits) == rest) {
                const int l = low > low_of(word) ? low : low_of(word);
                const int h = high < high_of(word) ? high : high_of(word);
                const int e = effort > effort_of(word) ? effort : effort_of(word);
                slot.store(pack(rest, e, l, h), std::memory_order_relaxed);
                return;
            }
            // An empty slot first, then the entry that is cheapest to find again.
            const int worth = word ? effort_of(word) : -1;
            if (worth < least) {
                least = worth;
                victim = &slot;
            }
        }
        victim->store(pack(rest, effort, low, high), std::memory_order_relaxed);
        if (least < 0 && bits_ < max_bits_) {
            ++used_;
            if (used_ * 100 > (size_t{kSlots} << bits_) * kGrowAtPercent) grow();
        }
    }

    // The bucket number gains bits that the entries held until now, so nothing is searched again.
    void grow() {
        const int old_bits = bits_;
        const int bits = old_bits + kGrowBits < max_bits_ ? old_bits + kGrowBits : max_bits_;
        Buckets old = std::move(buckets_);
        resize(bits);
        for (size_t i = 0; i < (size_t{1} << old_bits); ++i) {
            for (auto& slot : old[i].slots) {
                const uint64_t word = slot.load(std::memory_order_relaxed);
                if (!word) continue;
                const uint64_t mixed = static_cast<uint64_t>(i) << (kKeyBits - old_bits) | word >> kDataBits;
                const uint64_t data = word & ((uint64_t{1} << kDataBits) - 1);
                for (auto& place : bucket_of(mixed).slots) {
                    if (place.load(std::memory_order_relaxed)) continue;
                    place.store(rest_of(mixed) << kDataBits | data, std::memory_order_relaxed);
                    ++used_;
                    break;
                }
            }
        }
    }

    Buckets buckets_;
    int bits_ = 0, max_bits_ = 0;
    size_t used_ = 0;  // slots filled; counted only while the table may still grow
};

}  // namespace mingpai::endgame
