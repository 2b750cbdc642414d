// The value network in whole numbers, for playing: weights and activations have 16 bits, sums 32. The same result on every
// processor, and several times the speed of floating point. Training uses floating point (mcm_network.py).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "native/mcm/batch.hpp"
#include "native/mcm/features.hpp"
#include "native/mcm/turns.hpp"

namespace mingpai::mcm {

// A matrix as it was trained, row by row.
struct TrainedMatrix {
    const float* data;
    int rows, columns;
};

// A layer as it was trained: `weight` has a row for each output.
struct TrainedLayer {
    TrainedMatrix weight;
    const float* bias;
};

// A network whose roles have trunk and head of their own has their layers, but the two of the input, three times: the rows of
// the landlord, of the seat after him, of the seat before him, below each other.
struct TrainedNetwork {
    TrainedMatrix state_weights;              // a row for each place of a state
    const float* state_bias;
    std::vector<TrainedLayer> blocks;  // x + relu(block(x))
    TrainedLayer project;              // to where state and move meet
    TrainedMatrix move_weights;               // a row for each place of a move
    TrainedLayer hidden;
    TrainedLayer out;                  // kValueColumns rows
};

// The places of many rows, one after the other.
class PlaceRows {
  public:
    void clear() {
        places_.clear();
        starts_.assign(1, 0);
    }
    void add(const Places& places) {
        places_.insert(places_.end(), places.begin(), places.end());
        starts_.push_back(static_cast<int32_t>(places_.size()));
    }
    int size() const { return static_cast<int>(starts_.size()) - 1; }
    std::span<const uint16_t> operator[](int row) const {
        return {places_.data() + starts_[row], places_.data() + starts_[row + 1]};
    }

  private:
    std::vector<uint16_t> places_;
    std::vector<int32_t> starts_{0};
};

// Decisions to be valued together: the moves of state i are those from offsets[i] to offsets[i + 1].
struct Questions {
    PlaceRows states, moves;
    std::vector<int32_t> offsets{0};
    std::vector<uint8_t> roles;  // to move in each state
    bool is_open = false;  // whether they come with what the others hold

    void clear() {
        states.clear();
        moves.clear();
        offsets.assign(1, 0);
        roles.clear();
    }
    // The decision of the seat to move among `options`; for an open network with what the others hold.
    void add(const SeatView& view, std::span<const Move> options, TurnCache& turns, const OtherHands* others = nullptr);
};

// Rows of a dense layer, two inputs side by side: what one instruction multiplies and adds.
class PairedLayer {
  public:
    PairedLayer() = default;
    // Throws std::invalid_argument for weights that 16 bits cannot hold or sizes that do not fit.
    explicit PairedLayer(const TrainedLayer& layer);
    int inputs() const { return inputs_; }

    // out = bias + weights * x in units of kUnit * kWeightUnit, for `rows` rows of x; pairs of zeros cost nothing.
    void apply(const int16_t* x, int rows, int32_t* out, std::vector<uint16_t>& scratch) const;

  private:
    int inputs_ = 0, outputs_ = 0;
    std::vector<int16_t> pairs_;  // block by block of the outputs that are summed together
    std::vector<int32_t> bias_;
};

class Network {
  public:
    // A network that was not told which doublings count (features of version 2) does not listen to that.
    explicit Network(const TrainedNetwork& trained);

    // Whether its questions come with what the others hold.
    bool is_open() const { return is_open_; }

    // Memory of a caller; one for each thread.
    struct Scratch {
        std::vector<int32_t> states, moves;  // by the layers that they go through
        std::vector<int16_t> trunk, projected, joint, hidden;
        std::vector<int32_t> sums;
        std::vector<uint16_t> nonzero;
    };

    // kValueColumns numbers for each move: the logit of winning, and points. Throws std::invalid_argument for open questions to a
    // closed network, or the reverse.
    void values(const Questions& questions, Scratch& scratch, std::vector<float>& out) const;

  private:
    // Behind the input layers.
    struct Layers {
        std::vector<PairedLayer> blocks;
        PairedLayer project, hidden;
        std::vector<int16_t> out_weights;
        std::vector<int32_t> out_bias;
    };

    Layers layers_of(const TrainedNetwork& trained, int role, int roles) const;
    // The layers of a state's role.
    size_t part_of(const Questions& questions, int state) const { return layers_.size() == 1 ? 0 : questions.roles[state]; }
    void run_trunk(const Questions& questions, Scratch& scratch) const;
    void run_heads(const Layers& layers, const Questions& questions, std::span<const int32_t> moves, Scratch& scratch,
                   std::vector<float>& out) const;

    bool is_open_;
    int width_, joint_, head_;
    std::vector<int16_t> state_weights_, state_bias_, move_weights_;
    std::vector<Layers> layers_;  // one for all roles, or one for each
};

}  // namespace mingpai::mcm
