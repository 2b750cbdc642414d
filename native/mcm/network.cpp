#include "native/mcm/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>

#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace mingpai::mcm {
namespace {

// Activations are counted in 1/1024, weights of dense layers in 1/4096: values to 32 and weights to 8 fit in 16 bits.
constexpr int kUnitBits = 10, kWeightBits = 12;
constexpr float kUnit = 1 << kUnitBits, kWeightUnit = 1 << kWeightBits;
constexpr int kLowest = INT16_MIN, kHighest = INT16_MAX;
// Moves valued at once: what stays in the cache.
constexpr int kChunk = 256;

// Vectors of 16-bit numbers and of 32-bit sums. All operations are exact, so every width gives the same result.
#if defined(__AVX2__)
using Shorts = __m256i;
using Sums = __m256i;
inline Shorts load(const int16_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
inline void store(int16_t* to, Shorts x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x); }
inline Sums load(const int32_t* from) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)); }
inline void store(int32_t* to, Sums x) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), x); }
inline Shorts add_saturated(Shorts a, Shorts b) { return _mm256_adds_epi16(a, b); }
inline Shorts pair_everywhere(int32_t pair) { return _mm256_set1_epi32(pair); }
inline Sums multiply_add(Sums sum, Shorts a, Shorts b) { return _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)); }
#elif defined(__SSE2__)
using Shorts = __m128i;
using Sums = __m128i;
inline Shorts load(const int16_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
inline void store(int16_t* to, Shorts x) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), x); }
inline Sums load(const int32_t* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
inline void store(int32_t* to, Sums x) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), x); }
inline Shorts add_saturated(Shorts a, Shorts b) { return _mm_adds_epi16(a, b); }
inline Shorts pair_everywhere(int32_t pair) { return _mm_set1_epi32(pair); }
inline Sums multiply_add(Sums sum, Shorts a, Shorts b) { return _mm_add_epi32(sum, _mm_madd_epi16(a, b)); }
#else
struct Shorts {
    int16_t at[8];
};
struct Sums {
    int32_t at[4];
};
inline Shorts load(const int16_t* from) {
    Shorts x;
    std::memcpy(&x, from, sizeof x);
    return x;
}
inline void store(int16_t* to, Shorts x) { std::memcpy(to, &x, sizeof x); }
inline Sums load(const int32_t* from) {
    Sums x;
    std::memcpy(&x, from, sizeof x);
    return x;
}
inline void store(int32_t* to, Sums x) { std::memcpy(to, &x, sizeof x); }
inline Shorts add_saturated(Shorts a, Shorts b) {
    for (int i = 0; i < 8; ++i) a.at[i] = static_cast<int16_t>(std::clamp(a.at[i] + b.at[i], kLowest, kHighest));
    return a;
}
inline Shorts pair_everywhere(int32_t pair) {
    Shorts x;
    for (int i = 0; i < 4; ++i) std::memcpy(x.at + 2 * i, &pair, sizeof pair);
    return x;
}
inline Sums multiply_add(Sums sum, Shorts a, Shorts b) {
    for (int i = 0; i < 4; ++i) sum.at[i] += a.at[2 * i] * b.at[2 * i] + a.at[2 * i + 1] * b.at[2 * i + 1];
    return sum;
}
#endif
constexpr int kShorts = sizeof(Shorts) / sizeof(int16_t);
constexpr int kSums = sizeof(Sums) / sizeof(int32_t);
// Eight sums and what is added to them fit in the registers.
constexpr int kVectors = 8;
constexpr int kShortBlock = kVectors * kShorts, kSumBlock = kVectors * kSums;
// Widths must be multiples of this: both blocks of the widest variant fit in.
constexpr int kWidthUnit = 128;
static_assert(kWidthUnit % kShortBlock == 0 && kWidthUnit % kSumBlock == 0);

int16_t fixed(float value, float unit, const char* what) {
    const float scaled = std::round(value * unit);
    if (!(scaled >= kLowest && scaled <= kHighest)) {
        throw std::invalid_argument(std::string(what) + ": a weight of " + std::to_string(value) + " does not fit in 16 bits");
    }
    return static_cast<int16_t>(scaled);
}

std::vector<int16_t> fixed(const float* from, int count, float unit, const char* what) {
    std::vector<int16_t> out;
    for (int i = 0; i < count; ++i) out.push_back(fixed(from[i], unit, what));
    return out;
}

void verify(bool is_true, const char* what) {
    if (!is_true) throw std::invalid_argument(what);
}

// out = start + the rows of the places, one block of it; the sums stay in registers.
void add_places(std::span<const uint16_t> places, const int16_t* weights, int width, const int16_t* start, int16_t* out) {
    for (int at = 0; at < width; at += kShortBlock) {
        Shorts sum[kVectors];
#pragma GCC unroll 8
        for (int i = 0; i < kVectors; ++i) sum[i] = load(start + at + i * kShorts);
        for (const uint16_t place : places) {
            const int16_t* row = weights + int64_t{place} * width + at;
#pragma GCC unroll 8
            for (int i = 0; i < kVectors; ++i) sum[i] = add_saturated(sum[i], load(row + i * kShorts));
        }
#pragma GCC unroll 8
        for (int i = 0; i < kVectors; ++i) store(out + at + i * kShorts, sum[i]);
    }
}

void cut_at_zero(int16_t* row, int count) {
    for (int i = 0; i < count; ++i) row[i] = std::max<int16_t>(row[i], 0);
}

// A sum of products in the unit of activations.
int narrowed(int32_t sum) { return std::clamp(sum >> kWeightBits, kLowest, kHighest); }

}  // namespace

void Questions::add(const SeatView& view, std::span<const Move> options, TurnCache& turns, const OtherHands* others) {
    const int hand_turns = turns(view.hand);
    const Hand unseen = view.unseen();
    const Odds odds = view.odds(unseen);
    Places places;
    is_open = others != nullptr;
    view.list_state(places, hand_turns);
    if (others) list_others(*others, turns, places);
    states.add(places);
    roles.push_back(view.play.turn);
    for (const Move& move : options) {
        view.list_move(move, unseen, odds, hand_turns, turns(view.hand - move.cards), places);
        if (others) list_higher(*others, move, places);
        moves.add(places);
    }
    offsets.push_back(moves.size());
}

PairedLayer::PairedLayer(const TrainedLayer& layer)
    : inputs_(layer.weight.columns), outputs_(layer.weight.rows), pairs_(static_cast<size_t>(inputs_) * outputs_) {
    verify(inputs_ % 2 == 0 && outputs_ % kWidthUnit == 0, "network: the widths of layers must be multiples of 128");
    for (int output = 0; output < outputs_; ++output) {
        for (int input = 0; input < inputs_; ++input) {
            const float weight = layer.weight.data[int64_t{output} * inputs_ + input];
            const int64_t row = int64_t{output / kSumBlock} * (inputs_ / 2) + input / 2;
            pairs_[(row * kSumBlock + output % kSumBlock) * 2 + input % 2] = fixed(weight, kWeightUnit, "a dense layer");
        }
        bias_.push_back(static_cast<int32_t>(std::lround(layer.bias[output] * kUnit * kWeightUnit)));
    }
}

void PairedLayer::apply(const int16_t* x, int rows, int32_t* out, std::vector<uint16_t>& scratch) const {
    // 1. The pairs of each row that are not both zero.
    const int pairs = inputs_ / 2;
    scratch.resize(static_cast<size_t>(rows) * (pairs + 1));
    for (int row = 0; row < rows; ++row) {
        uint16_t* list = &scratch[static_cast<size_t>(row) * (pairs + 1)];
        int size = 0;
        for (int pair = 0; pair < pairs; ++pair) {
            int32_t both;
            std::memcpy(&both, x + int64_t{row} * inputs_ + 2 * pair, sizeof both);
            list[1 + size] = static_cast<uint16_t>(pair);
            size += both != 0;
        }
        list[0] = static_cast<uint16_t>(size);
    }
    // 2. Block by block of the outputs, so that its weights stay in the cache over all rows.
    for (int at = 0; at < outputs_; at += kSumBlock) {
        const int16_t* block = &pairs_[int64_t{at} * inputs_];
        for (int row = 0; row < rows; ++row) {
            const uint16_t* list = &scratch[static_cast<size_t>(row) * (pairs + 1)];
            const int16_t* inputs = x + int64_t{row} * inputs_;
            Sums sum[kVectors];
#pragma GCC unroll 8
            for (int i = 0; i < kVectors; ++i) sum[i] = load(&bias_[at + i * kSums]);
            for (int k = 1; k <= list[0]; ++k) {
                int32_t both;
                std::memcpy(&both, inputs + 2 * list[k], sizeof both);
                const Shorts pair = pair_everywhere(both);
                const int16_t* weights = block + int64_t{list[k]} * kSumBlock * 2;
#pragma GCC unroll 8
                for (int i = 0; i < kVectors; ++i) sum[i] = multiply_add(sum[i], pair, load(weights + i * kShorts));
            }
#pragma GCC unroll 8
            for (int i = 0; i < kVectors; ++i) store(out + int64_t{row} * outputs_ + at + i * kSums, sum[i]);
        }
    }
}

namespace {

// The rows of one role of a layer that may have them for every role.
TrainedLayer rows_of_role(const TrainedLayer& layer, int role, int roles) {
    const int rows = layer.weight.rows / roles;
    const TrainedMatrix weight{layer.weight.data + int64_t{role} * rows * layer.weight.columns, rows, layer.weight.columns};
    return {weight, layer.bias + int64_t{role} * rows};
}

}  // namespace

Network::Network(const TrainedNetwork& trained)
    : is_open_(trained.state_weights.rows > kStateSize), width_(trained.state_weights.columns), joint_(trained.move_weights.columns) {
    const RowSizes rows = is_open_ ? kOpenRows : kClosedRows;
    const int untold = rows.state - (kStateSize - kUntoldStateSize);
    verify((trained.state_weights.rows == rows.state || trained.state_weights.rows == untold) &&
               trained.move_weights.rows == rows.move,
           "network: it was made for other features");
    verify(width_ % kWidthUnit == 0 && joint_ % kWidthUnit == 0, "network: the widths of layers must be multiples of 128");
    state_weights_ = fixed(trained.state_weights.data, trained.state_weights.rows * width_, kUnit, "the layer of states");
    if (trained.state_weights.rows == untold) {
        const auto place = state_weights_.begin() + int64_t{kUntoldStateSize} * width_;
        state_weights_.insert(place, static_cast<size_t>(kStateSize - kUntoldStateSize) * static_cast<size_t>(width_), 0);
    }
    state_bias_ = fixed(trained.state_bias, width_, kUnit, "the layer of states");
    move_weights_ = fixed(trained.move_weights.data, rows.move * joint_, kUnit, "the layer of moves");
    const int roles = trained.project.weight.rows == kRoles * joint_ ? kRoles : 1;
    head_ = trained.hidden.weight.rows / roles;
    for (int role = 0; role < roles; ++role) layers_.push_back(layers_of(trained, role, roles));
}

Network::Layers Network::layers_of(const TrainedNetwork& trained, int role, int roles) const {
    Layers layers;
    for (const TrainedLayer& block : trained.blocks) {
        verify(block.weight.rows == roles * width_ && block.weight.columns == width_, "network: a block of another width");
        layers.blocks.emplace_back(rows_of_role(block, role, roles));
    }
    verify(trained.project.weight.columns == width_ && trained.project.weight.rows == roles * joint_ &&
               trained.hidden.weight.columns == joint_ && trained.hidden.weight.rows == roles * head_ &&
               trained.out.weight.columns == head_ && trained.out.weight.rows == roles * kValueColumns,
           "network: layers that do not fit together");
    layers.project = PairedLayer(rows_of_role(trained.project, role, roles));
    layers.hidden = PairedLayer(rows_of_role(trained.hidden, role, roles));
    const TrainedLayer out = rows_of_role(trained.out, role, roles);
    layers.out_weights = fixed(out.weight.data, kValueColumns * head_, kWeightUnit, "the last layer");
    for (int i = 0; i < kValueColumns; ++i) {
        layers.out_bias.push_back(static_cast<int32_t>(std::lround(out.bias[i] * kUnit * kWeightUnit)));
    }
    return layers;
}

void Network::run_trunk(const Questions& questions, Scratch& scratch) const {
    const int states = questions.states.size();
    scratch.trunk.resize(static_cast<size_t>(states) * width_);
    scratch.sums.resize(static_cast<size_t>(states) * std::max(width_, joint_));
    scratch.projected.resize(static_cast<size_t>(states) * joint_);
    for (size_t part = 0; part < layers_.size(); ++part) {
        scratch.states.clear();
        for (int i = 0; i < states; ++i) {
            if (part_of(questions, i) == part) scratch.states.push_back(i);
        }
        const int count = static_cast<int>(scratch.states.size());
        for (int k = 0; k < count; ++k) {
            int16_t* row = &scratch.trunk[static_cast<size_t>(k) * width_];
            add_places(questions.states[scratch.states[k]], state_weights_.data(), width_, state_bias_.data(), row);
            cut_at_zero(row, width_);
        }
        for (const PairedLayer& block : layers_[part].blocks) {
            block.apply(scratch.trunk.data(), count, scratch.sums.data(), scratch.nonzero);
            for (int64_t i = 0; i < int64_t{count} * width_; ++i) {
                const int sum = scratch.trunk[i] + std::max(narrowed(scratch.sums[i]), 0);
                scratch.trunk[i] = static_cast<int16_t>(std::min(sum, kHighest));
            }
        }
        layers_[part].project.apply(scratch.trunk.data(), count, scratch.sums.data(), scratch.nonzero);
        for (int k = 0; k < count; ++k) {
            const int32_t* sums = &scratch.sums[static_cast<size_t>(k) * joint_];
            int16_t* row = &scratch.projected[static_cast<size_t>(scratch.states[k]) * joint_];
            for (int i = 0; i < joint_; ++i) row[i] = static_cast<int16_t>(narrowed(sums[i]));
        }
    }
}

void Network::run_heads(const Layers& layers, const Questions& questions, std::span<const int32_t> moves, Scratch& scratch,
                        std::vector<float>& out) const {
    size_t state = 0;
    for (size_t first = 0; first < moves.size(); first += kChunk) {
        const int count = static_cast<int>(std::min<size_t>(kChunk, moves.size() - first));
        for (int i = 0; i < count; ++i) {
            const int32_t move = moves[first + i];
            while (questions.offsets[state + 1] <= move) ++state;
            int16_t* row = &scratch.joint[static_cast<size_t>(i) * joint_];
            add_places(questions.moves[move], move_weights_.data(), joint_, &scratch.projected[state * joint_], row);
            cut_at_zero(row, joint_);
        }
        layers.hidden.apply(scratch.joint.data(), count, scratch.sums.data(), scratch.nonzero);
        for (int i = 0; i < count; ++i) {
            const int32_t* sums = &scratch.sums[static_cast<size_t>(i) * head_];
            for (int k = 0; k < head_; ++k) scratch.hidden[k] = static_cast<int16_t>(std::max(narrowed(sums[k]), 0));
            for (int column = 0; column < kValueColumns; ++column) {
                const int16_t* weights = &layers.out_weights[static_cast<size_t>(column) * head_];
                int32_t sum = layers.out_bias[column];
                for (int k = 0; k < head_; ++k) sum += scratch.hidden[k] * weights[k];
                out[static_cast<size_t>(moves[first + i]) * kValueColumns + column] = static_cast<float>(sum) / (kUnit * kWeightUnit);
            }
        }
    }
}

void Network::values(const Questions& questions, Scratch& scratch, std::vector<float>& out) const {
    verify(questions.is_open == is_open_, is_open_ ? "network: it needs the hands of the others" : "network: it reads one hand alone");
    run_trunk(questions, scratch);
    out.resize(static_cast<size_t>(questions.moves.size()) * kValueColumns);
    scratch.joint.resize(static_cast<size_t>(kChunk) * joint_);
    scratch.sums.resize(std::max(scratch.sums.size(), static_cast<size_t>(kChunk) * head_));
    scratch.hidden.resize(static_cast<size_t>(head_));
    for (size_t part = 0; part < layers_.size(); ++part) {
        scratch.moves.clear();
        for (int state = 0; state < questions.states.size(); ++state) {
            if (part_of(questions, state) != part) continue;
            for (int32_t move = questions.offsets[state]; move < questions.offsets[state + 1]; ++move) scratch.moves.push_back(move);
        }
        run_heads(layers_[part], questions, scratch.moves, scratch, out);
    }
}

}  // namespace mingpai::mcm
