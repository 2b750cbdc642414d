// The value of each action by playing the hand out: opponents hold hands from the ranges read and play their styles as far
// as learned; oneself goes on by one of several plans, and an action is worth what it is worth with the best of them.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "native/core/budget.hpp"
#include "native/handreading/styles.hpp"
#include "native/holdem/table.hpp"

namespace mingpai::handreading {

struct PlanQuery {
    const holdem::Table* table = nullptr;  // the seat to act knows its hand; other hands are not looked at
    const float* ranges = nullptr;         // seats x kCombos; rows of live opponents
    const float* axis = nullptr;           // equity of each combination on the board against the live players but one; unused before the flop
    std::array<std::vector<Style>, holdem::kMaxSeats> styles;  // what each opponent may be like, taken in turn from deal to deal
    std::vector<Style> plans;              // how oneself may go on after the action
    std::vector<holdem::Action> actions;   // to choose from
    // For each action and seat, what to add to the log odds of a fold as the styles predict it; none where empty.
    std::vector<std::array<double, holdem::kMaxSeats>> fold_offsets;
    // With them, for each action and seat the chance of a fold above which its styles are not believed; none where empty.
    std::vector<std::array<double, holdem::kMaxSeats>> fold_limits;
    int deals = 256;                       // at most; fewer when one action is clearly the best
    double risk = 0;                       // aversion: values are certainty equivalents of 1 - exp(-risk * chips); below 0 risk is sought
    uint64_t seed = 0;
};

struct PlanRow {
    double value = 0;   // certainty equivalent with the best plan, in units won from now on
    double mean = 0;    // without aversion
    double error = 0;   // standard error of the mean
    double folds = 0;   // share of the deals in which everybody folded to the action
    double predicted = 0;  // the same by the styles alone
    int plan = 0;       // the best plan
};

struct PlanResult {
    std::vector<PlanRow> rows;  // one for each action
    int deals = 0;              // played out
};

// Throws std::invalid_argument for a query without actions or plans, or ranges that leave no deal.
PlanResult plan(const PlanQuery& query, core::Budget& budget);

}  // namespace mingpai::handreading
