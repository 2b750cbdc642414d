// The pseudo-actions a seat can choose, each with its concrete play (chosen by the minimiser) and with what the knowledge
// base can say of it: numbers for the network's head for each option.
#pragma once
#include "native/abduction/minimiser.hpp"

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

struct Options {
    std::vector<guandan::Play> plays;  // in order of the pseudo-actions
    std::vector<uint8_t> pseudo;
    std::vector<float> facts;          // kFacts for each option, all about -1..1; empty if not asked for

    size_t size() const { return plays.size(); }
};
// Options of the seat to move in the tricks.
void list_options(const guandan::Round& round, const RuleWeights& weights, Options& out);
void add_facts(const guandan::Round& round, Options& options);

}  // namespace mingpai::abduction
