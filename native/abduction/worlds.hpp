// Worlds that agree with what a seat knows, and what the others did in each of them: their last decisions, seen again with the
// hands that the world gives them.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "native/abduction/consistency.hpp"
#include "native/abduction/tables.hpp"

namespace mingpai::abduction {

using Hands = std::array<guandan::Cards, guandan::kSeats>;

// Hands for the seat to move of a round, drawn by an estimate, or uniformly; empty when no deal agrees with what it knows.
std::vector<Hands> draw_worlds(const guandan::Round& round, const std::optional<Estimate>& estimate, int count, uint64_t seed);

// So many worlds for each of some, which keep the hands of some seats (bits) and deal the rest anew.
std::vector<Hands> redraw_worlds(const guandan::Round& round, const std::optional<Estimate>& estimate, const std::vector<Hands>& worlds,
                                 unsigned kept, int each, uint64_t seed);

// The decisions among more than one pseudo-action that other seats took last, in every world.
struct Hindsight {
    std::vector<guandan::Round> positions;  // as they were then, with the hands of the world
    std::vector<int32_t> world;             // of each position
    std::vector<int32_t> step;              // of each position: which of the plays that are looked at, oldest first
    std::vector<int32_t> played;            // of each position: the pseudo-action that was really played
};
// Looks at the last `plays` plays of each of some seats (bits), passes too.
Hindsight look_back(const guandan::Round& round, const std::vector<Hands>& worlds, int plays, unsigned seats);

}  // namespace mingpai::abduction
