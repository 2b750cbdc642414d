// Each player's share of the pot at showdown, for two to ten players with weighted ranges.
//
// The joint distribution: each player's combination has the probability of its weight, given that no card is held twice and
// none is on the board or dead; the rest of the board is uniform over the unseen cards. Drawing one player after another
// would favour combinations that block the later ranges, so every method here weighs or rejects (see sampler.hpp).
#pragma once
#include <array>
#include <cstdint>

#include "native/core/budget.hpp"
#include "native/holdem/cards.hpp"

namespace mingpai::holdem {

enum class EquityMethod : uint8_t {
    kAuto,         // exact within the work limit, else a walk for four or more wide ranges, else independent samples
    kExact,        // all hands and boards
    kWalk,         // a Markov walk over the hands, a fresh board at each step
    kIndependent,  // independent samples with importance weights
};

struct EquityQuery {
    int players = 0;
    const float* weights = nullptr;  // players x kCombos, none negative
    CardSet board = 0;               // none, three, four or five cards
    CardSet dead = 0;                // cards known to be out of play
};

struct EquitySettings {
    EquityMethod method = EquityMethod::kAuto;
    uint64_t samples = 100'000;      // at most that many; with a target error, the limit
    double target_error = 0;         // stop when every standard error is at or below it; 0: always take all samples
    uint64_t seed = 0;
    int threads = 1;                 // does not change the answer
    double exact_work = 100e6;       // hands ranked, above which kAuto samples
};

struct EquityResult {
    EquityMethod method = EquityMethod::kExact;
    int players = 0;
    std::array<double, kMaxPlayers> equities{};         // share of the pot, sums to 1
    std::array<double, kMaxPlayers> wins{};             // probability of winning alone
    std::array<double, kMaxPlayers> ties{};             // probability of sharing the pot
    std::array<double, kMaxPlayers> standard_errors{};  // of the equities; 0 when exact
    uint64_t samples = 0;                               // samples drawn, or hands and boards enumerated
    double effective_samples = 0;                       // independent samples of equal weight that would err as much
    bool reached_target = true;                         // false: the samples or the budget ran out first
};

// Throws std::invalid_argument for a malformed query or one without any possible deal, std::runtime_error when the budget
// ends before an answer exists.
EquityResult equity(const EquityQuery& query, const EquitySettings& settings, core::Budget& budget);

}  // namespace mingpai::holdem
