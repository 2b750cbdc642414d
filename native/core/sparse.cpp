#include "native/core/sparse.hpp"

#include <cassert>
#include <cstring>
#include <vector>

namespace mingpai::core {
namespace {

struct Entry {
    int column;
    float value;
};

// The nonzero entries of a row, eight bytes at a time.
class Nonzero {
  public:
    explicit Nonzero(int columns) : entries_(columns) {}

    void read(const uint8_t* row, int columns) {
        size_ = 0;
        int column = 0;
        for (; column + 8 <= columns; column += 8) {
            uint64_t word;
            std::memcpy(&word, row + column, sizeof word);
            if (word == 0) continue;
            for (int i = 0; i < 8; ++i) add(row, column + i);
        }
        for (; column < columns; ++column) add(row, column);
    }
    const Entry* begin() const { return entries_.data(); }
    const Entry* end() const { return entries_.data() + size_; }

  private:
    void add(const uint8_t* row, int column) {
        entries_[size_] = {column, static_cast<float>(row[column])};
        size_ += row[column] != 0;
    }
    std::vector<Entry> entries_;
    int size_ = 0;
};

// The compiler's own vectors, as wide as the registers of the variant.
#if defined(__AVX__)
typedef float Vec __attribute__((vector_size(32)));
#elif defined(__GNUC__)
typedef float Vec __attribute__((vector_size(16)));
#else
struct Vec {
    float at[4];
    Vec& operator+=(const Vec& other) {
        for (int i = 0; i < 4; ++i) at[i] += other.at[i];
        return *this;
    }
    friend Vec operator*(float value, Vec vec) {
        for (float& x : vec.at) x *= value;
        return vec;
    }
};
#endif
constexpr int kVecFloats = sizeof(Vec) / sizeof(float);
// Eight sums and what is added to them fit in the registers.
constexpr int kBlockVecs = 8;
constexpr int kBlock = kBlockVecs * kVecFloats;
static_assert(kLane % kBlock == 0);

inline void load(Vec& vec, const float* from) { std::memcpy(&vec, from, sizeof vec); }
inline void store(const Vec& vec, float* to) { std::memcpy(to, &vec, sizeof vec); }

// out = start + sum of value * weights, one block of it; the sums stay in registers.
void add_rows(const Nonzero& nonzero, const float* weights, int width, const float* start, float* out) {
    Vec sum[kBlockVecs];
#pragma GCC unroll 8
    for (int i = 0; i < kBlockVecs; ++i) load(sum[i], start + i * kVecFloats);
    for (const Entry& entry : nonzero) {
        const float* row = weights + int64_t{entry.column} * width;
#pragma GCC unroll 8
        for (int i = 0; i < kBlockVecs; ++i) {
            Vec weight;
            load(weight, row + i * kVecFloats);
            sum[i] += entry.value * weight;
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < kBlockVecs; ++i) store(sum[i], out + i * kVecFloats);
}

// Adds value * gradient to the row of each nonzero entry, one block of it.
void spread_row(const Nonzero& nonzero, const float* from, int width, float* gradient) {
    Vec block[kBlockVecs];
#pragma GCC unroll 8
    for (int i = 0; i < kBlockVecs; ++i) load(block[i], from + i * kVecFloats);
    for (const Entry& entry : nonzero) {
        float* row = gradient + int64_t{entry.column} * width;
#pragma GCC unroll 8
        for (int i = 0; i < kBlockVecs; ++i) {
            Vec sum;
            load(sum, row + i * kVecFloats);
            sum += entry.value * block[i];
            store(sum, row + i * kVecFloats);
        }
    }
}

}  // namespace

void sparse_forward(const ByteRows& x, const float* weights, int width, const float* start, const int64_t* of, bool relu,
                    float* out) {
    assert(width % kLane == 0);
    Nonzero nonzero(x.columns + 8);
    for (int64_t row = 0; row < x.rows; ++row) {
        nonzero.read(x.data + row * x.columns, x.columns);
        const float* first = start + (of ? of[row] * width : 0);
        float* to = out + row * width;
        for (int at = 0; at < width; at += kBlock) add_rows(nonzero, weights + at, width, first + at, to + at);
        if (relu) {
            for (int i = 0; i < width; ++i) to[i] = to[i] > 0 ? to[i] : 0;
        }
    }
}

void sparse_backward(const ByteRows& x, const float* out_gradient, int width, float* gradient) {
    assert(width % kLane == 0);
    Nonzero nonzero(x.columns + 8);
    for (int64_t row = 0; row < x.rows; ++row) {
        nonzero.read(x.data + row * x.columns, x.columns);
        for (int at = 0; at < width; at += kBlock) {
            spread_row(nonzero, out_gradient + row * width + at, width, gradient + at);
        }
    }
}

}  // namespace mingpai::core
