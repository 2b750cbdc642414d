// The pseudo-actions a seat can choose, each with its concrete play (chosen by the minimiser) and with what the knowledge
// base can say of it: numbers for the network's head for each option.
#pragma once
#include "native/abduction/encoding.hpp"
#include "native/abduction/minimiser.hpp"
#include "native/guandan/bots.hpp"

namespace mingpai::abduction {

enum class Fact : uint8_t {
    Gain,          // leads that the play saves in the plan of the hand
    After,         // leads that the rest of the hand costs
    Hold,          // chance that nobody beats it
    RunOut,        // chance to play the rest out without losing a trick
    GoesOut,       // the last cards
    OneLeft,       // the rest can be played at once
    Wilds,         // wild cards in it
    Bomb,
    Pass,
    Leading,
    OverPartner,   // the play to beat is the partner's
    FeedsOpponent, // opponents who have exactly as many cards left as a non-bomb has
    FeedsPartner,  // the same for the partner
    Danger,        // how few cards the opponent has who owns the play to beat
    BestHolds,     // chance that the play to beat stands
    Size,
    Strength,
    Left,          // cards left after it
    kCount
};
inline constexpr int kFacts = static_cast<int>(Fact::kCount);
inline constexpr const char* kFactNames[kFacts] = {
    "gain", "after", "hold", "run_out", "goes_out", "one_left", "wilds", "bomb", "pass", "leading", "over_partner",
    "feeds_opponent", "feeds_partner", "danger", "best_holds", "size", "strength", "left"};

// Marks of an option are bytes, nearly all zero: the play (type, strength, size, wild cards), how many higher groups are expected out
// there, the rest of the hand (ranks in order of strength held 1 .. kMostGroup times, jokers, wild cards, cards), and the plan of the
// rest: its groups, how many they are, how many of them hold seldom, what they cost.
namespace marks {
using namespace guandan;
inline constexpr int kSuitedOrders = kRanks + 1;
inline constexpr int kSizes = kMaxBomb + 1, kHoldPlaces = 12, kCountPlaces = 16, kLoserPlaces = 8, kCostPlaces = 36;
inline constexpr int kType = 0;
inline constexpr int kStrength = kType + kPlayTypes;
inline constexpr int kSize = kStrength + kOrders;
inline constexpr int kWilds = kSize + kSizes;
inline constexpr int kHigher = kWilds + kCopies;
inline constexpr int kRest = kHigher + kHoldPlaces;
inline constexpr int kRestJokers = kRest + kMostGroup * kSuitedOrders;
inline constexpr int kRestWilds = kRestJokers + 2 * kCopies;
inline constexpr int kRestSize = kRestWilds + kCopies;
inline constexpr int kPlanGroups = kRestSize + kHandSize + 1;  // a place for each type and strength; of bombs for each size
inline constexpr int kPlanBombs = kPlanGroups + static_cast<int>(Type::Bomb) * kOrders;
inline constexpr int kPlanFlush = kPlanBombs + kSizes;
inline constexpr int kPlanJokers = kPlanFlush + 1;
inline constexpr int kPlanCount = kPlanJokers + 1;
inline constexpr int kPlanLosers = kPlanCount + kCountPlaces;
inline constexpr int kPlanCost = kPlanLosers + static_cast<int>(kHoldSteps.size()) * kLoserPlaces;
inline constexpr int kEnd = kPlanCost + kCostPlaces;
}  // namespace marks
inline constexpr int kMarks = marks::kEnd;

struct Options {
    std::vector<guandan::Play> plays;  // in order of the pseudo-actions
    std::vector<uint8_t> pseudo;
    std::vector<float> facts;          // kFacts for each option, all about -1..1; empty if not asked for
    std::vector<uint8_t> marks;        // kMarks for each option, with the facts

    size_t size() const { return plays.size(); }
};
// Options of the seat to move in the tricks: of each pseudo-action the `variants` concrete plays that the knowledge base likes best.
void list_options(const guandan::Round& round, const RuleWeights& weights, Options& out, int variants = 1);
// Facts and marks. `blind`: as if no card had been seen, the own ones included; what is said of other hands then follows from ranks
// and hand sizes alone. `estimate`: what is said of them follows from these expected copies (kEstimateSize), not from counting.
void add_facts(const guandan::Round& round, Options& options, bool blind = false, const float* estimate = nullptr);

}  // namespace mingpai::abduction
