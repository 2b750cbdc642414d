// MCTSHS as paper 003 prints it, with nothing of ours in it: UCB1 over every LessSplit candidate, at the root and below; each
// simulation draws a world with all hidden cards equally likely and is played out by random moves; the farmers are one side.
// `native/handsplit/search.hpp` is our search, which has priors, inferred worlds and roll-outs by a rule player.
#pragma once
#include <cstdint>
#include <vector>

#include "native/core/budget.hpp"
#include "native/handsplit/search.hpp"

namespace mingpai::handsplit {

struct UctSettings {
    int64_t simulations = 50'000;
    int slack = 3;               // candidates occur in a partition of at most L_min + slack parts
    float exploration = 1.414f;  // UCB1: mean + exploration * sqrt(ln N / n)
    float score_weight = 0;      // so much of the score of a root move is added to what each of its simulations earns
};

// A move of the root with what an earlier judgement says of it: a score between 0 and 1.
struct ScoredMove {
    Move move;
    float score = 0;
};

// Searches among `moves`, or among all LessSplit candidates when it is empty. The result is sorted by what was earned, with the
// score; `value` is without it and `prior` holds it. Deterministic for a seed while the budget lasts.
SearchResult uct_search(const Situation& situation, const Splitter& splitter, const std::vector<ScoredMove>& moves,
                        const UctSettings& settings, uint64_t seed, core::Budget& budget);

}  // namespace mingpai::handsplit
