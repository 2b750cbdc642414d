// An estimate of how many turns a hand needs when nobody interferes: quick enough to be a feature of every legal move.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/doudizhu/cards.hpp"

namespace mingpai::mcm {

// Bombs and the rocket stay whole, each triple carries one single or pair, straights and pair straights are searched. An
// upper bound of the smallest number of moves, which may also break a bomb or let a four carry kickers. It is part of the
// feature layout, so it must not change without a new version of it.
int estimated_turns(doudizhu::Hand hand);

// The same with a cache of the hands asked for.
class TurnCache {
  public:
    TurnCache() : entries_(kEntries, 0) {}
    int operator()(doudizhu::Hand hand);

  private:
    static constexpr int kIndexBits = 19;
    static constexpr size_t kEntries = size_t{1} << kIndexBits;
    static constexpr int kHandBits = 4 * doudizhu::kRanks;
    std::vector<uint64_t> entries_;  // the hand, and the answer in the four bits above it
};

}  // namespace mingpai::mcm
