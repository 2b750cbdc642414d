// The first layer of a network whose inputs are bytes, nearly all zero: rows of weights are added instead of multiplied.
#pragma once
#include <cstdint>

namespace mingpai::core {

// Widths must be multiples of this.
inline constexpr int kLane = 64;

struct ByteRows {
    const uint8_t* data;
    int64_t rows;
    int columns;
};

// out[i] = start[of ? of[i] : 0] + sum over k of x[i][k] * weights[k], cut at zero when `relu`. `weights` is columns x width,
// `start` has rows of `width`, `out` is rows x width.
void sparse_forward(const ByteRows& x, const float* weights, int width, const float* start, const int64_t* of, bool relu,
                    float* out);

// gradient[k] += sum over i of x[i][k] * out_gradient[i].
void sparse_backward(const ByteRows& x, const float* out_gradient, int width, float* gradient);

}  // namespace mingpai::core
