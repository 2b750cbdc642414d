// Seeded random numbers: xoshiro256**, its state filled by splitmix64. The same seed gives the same numbers everywhere.
#pragma once
#include <array>
#include <cstdint>
#include <utility>

namespace mingpai::core {

inline uint64_t splitmix64(uint64_t& state) {
    uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

class Rng {
  public:
    explicit Rng(uint64_t seed) {
        for (auto& word : s_) word = splitmix64(seed);
    }

    uint64_t next() {
        const uint64_t out = rotl(s_[1] * 5, 7) * 9;
        const uint64_t t = s_[1] << 17;
        s_[2] ^= s_[0];
        s_[3] ^= s_[1];
        s_[1] ^= s_[2];
        s_[0] ^= s_[3];
        s_[2] ^= t;
        s_[3] = rotl(s_[3], 45);
        return out;
    }

    // Uniform in [0, n), n > 0: Lemire's method with rejection, so without bias.
    uint32_t below(uint32_t n) {
        uint64_t product = (next() >> 32) * n;
        if (static_cast<uint32_t>(product) < n) {
            const uint32_t floor = (0u - n) % n;
            while (static_cast<uint32_t>(product) < floor) product = (next() >> 32) * n;
        }
        return static_cast<uint32_t>(product >> 32);
    }

    // Uniform in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    float uniformf() { return static_cast<float>(next() >> 40) * 0x1.0p-24f; }

    template <class T>
    void shuffle(T* items, uint32_t count) {
        for (uint32_t i = count; i > 1; --i) std::swap(items[i - 1], items[below(i)]);
    }

  private:
    static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    std::array<uint64_t, 4> s_{};
};

// A seed for the stream `index` of `seed`: streams of one seed do not overlap in practice.
inline uint64_t stream_seed(uint64_t seed, uint64_t index) {
    uint64_t state = seed ^ (0xD1B54A32D192ED03ULL * (index + 1));
    return splitmix64(state);
}

}  // namespace mingpai::core
