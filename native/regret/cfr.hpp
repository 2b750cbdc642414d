// Counterfactual regret minimisation by external sampling on the small game of abstraction.hpp, and play by its result.
//
// M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling: Monte Carlo sampling for regret minimization in extensive games, 2009; later
// iterations weigh more (N. Brown, T. Sandholm: Solving imperfect-information games via discounted regret minimization, 2019).
#pragma once
#include <cstdint>
#include <vector>

#include "native/core/budget.hpp"
#include "native/core/rng.hpp"
#include "native/regret/abstraction.hpp"

namespace mingpai::regret {

class CfrTrainer {
  public:
    // Two to kMaxSeats players with stacks drawn anew for each deal. Throws std::invalid_argument for another number.
    CfrTrainer(int seats, uint64_t seed, const SmallGame& game);

    // Deals, each walked once for every seat; stops early when the budget ends. Returns how many were walked in all.
    uint64_t run(uint64_t deals, core::Budget& budget);
    // The average strategy: for each row the chance of each choice in 255ths; all 0 where no deal came by.
    std::vector<uint8_t> strategy() const;

  private:
    using Row = std::array<float, kChoices>;
    holdem::Table deal();
    double walk(holdem::Table& table, int seat);
    int row_of(const holdem::Table& table, const Scene& scene);
    Row chances(const Row& regrets, const Scene& scene) const;

    int seats_;
    const SmallGame& game_;
    core::Rng rng_;
    uint64_t dealt_ = 0;
    std::vector<Row> regrets_, sums_;
    std::array<std::array<int, kStreets>, holdem::kMaxSeats> classes_{};  // of the deal at hand; -1: not asked for yet
};

// What a player of the strategy does for the seat to act; in a row that training never met he checks or folds. The strategy has
// kRows * kChoices numbers.
holdem::Action strategy_action(const holdem::Table& table, const uint8_t* strategy, const SmallGame& game, core::Rng& rng);

}  // namespace mingpai::regret
