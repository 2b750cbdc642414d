// A decision as combinational Q-learning sees it: the hand is split into groups first, in many ways, and one of the groups of one
// split is played. A split is a partition of the hand into moves; when following, it has a group that can be played, and the pass
// counts as one more group of each.
#pragma once
#include <cstdint>
#include <vector>

#include "native/mcm/features.hpp"
#include "native/ruleplay/turns.hpp"

namespace mingpai::mcm {

struct CombinationSettings {
    int slack = 1;   // splits have at most L_min + slack groups
    int most = 100;  // splits that are kept; of more, some are drawn by the cards of the hand alone
};

// The groups of all splits, each once, and the splits by their groups.
struct Combinations {
    std::vector<Move> groups;
    std::vector<int32_t> choices;  // of each group its index among the legal moves, or -1
    std::vector<std::vector<int32_t>> splits;
};

// Groups of the largest split: 20 single cards, and the pass.
inline constexpr int kMostGroups = doudizhu::kMaxHandCards + 1;

// `legal` are the legal moves in a position.
Combinations combinations(const ruleplay::Splitter& splitter, Hand hand, const std::vector<Move>& legal,
                          const CombinationSettings& settings);

}  // namespace mingpai::mcm
