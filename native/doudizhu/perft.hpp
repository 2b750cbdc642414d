// Counting lines of play: a signature of the rules and of do and undo.
#pragma once
#include <cstdint>

#include "native/doudizhu/state.hpp"

namespace mingpai::doudizhu {

// Number of sequences of `depth` bids and moves from `state`; deals that end earlier count once. Leaves the state as it was.
uint64_t perft(State& state, int depth);

}  // namespace mingpai::doudizhu
