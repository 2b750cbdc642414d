// MCTSHS: information-set Monte Carlo tree search over the LessSplit candidates. Each iteration draws one world, walks the tree
// that all worlds share (a node is the sequence of moves from the root), adds one node, plays out, and backs the result up.
// The farmers are one side. Workers search trees of their own, with iterations and random streams of their own; what they
// found is added up in order, so that the result depends on the seed and not on the clock.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "native/core/budget.hpp"
#include "native/core/rng.hpp"
#include "native/handsplit/inference.hpp"

namespace mingpai::handsplit {

struct SearchSettings {
    int64_t iterations = 2000;      // over all workers
    int threads = 1;
    int slack = 3;                  // candidates occur in a partition of at most L_min + slack parts; below 0: all moves
    int width = 24;                 // candidates at the root, the best by prior
    int tree_width = 12;            // candidates at the other nodes
    int depth = 64;                 // moves in the tree; 1 is flat Monte Carlo
    float exploration = 1;          // weight of the prior and of rare visits against the mean result
    float prior_temperature = 4;    // of the softmax that turns scores into priors
    float prior_floor = 0.1f;       // share of the prior that is equal for all candidates
    bool points = false;            // maximise points (bombs and spring double) instead of the probability to win
    bool sees_world = true;         // roll-outs look into the sampled world
    bool early_stop = true;         // end when the choice is clear
    float confidence = 3;           // standard errors that make it clear
};

struct RootMove {
    Move move;
    float prior = 0;
    int64_t visits = 0;
    double value = 0;  // mean result for the side to move: win probability, or points in units of the stake
};

struct SearchResult {
    std::vector<RootMove> moves;  // by visits, most first; ties by value, then by prior
    int64_t iterations = 0;
    int64_t nodes = 0;
    bool stopped_early = false;
};

class Searcher {
  public:
    Searcher(const Rules& rules, const Weights& weights);
    ~Searcher();
    Searcher(const Searcher&) = delete;
    Searcher& operator=(const Searcher&) = delete;

    // The candidates of the role to move, best prior first. The pass is always among them when it is legal.
    std::vector<RootMove> candidates(const Situation& situation, const SearchSettings& settings);

    // Worlds are drawn from `worlds`, or fresh and uniform when it is null.
    SearchResult search(const Situation& situation, const Worlds* worlds, const SearchSettings& settings, uint64_t seed,
                        core::Budget& budget);

    Policy& policy() { return *policies_[0]; }

  private:
    Policy& policy_of(int worker);

    Rules rules_;
    Weights weights_;
    std::vector<std::unique_ptr<Policy>> policies_;
};

// A world in which the hidden cards lie anywhere, all ways equally likely.
World uniform_world(const Situation& situation, core::Rng& rng);

}  // namespace mingpai::handsplit
