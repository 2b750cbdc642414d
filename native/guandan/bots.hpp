// The four rule bots. They see what their seat may see (Sight), never the hidden cards.
//
// rule1 plays the smallest legal group. rule2 groups equal ranks, does not break bombs and lets its partner's plays stand.
// rule3 plans the whole hand as few groups (plan.hpp) and plays what leaves the cheapest rest. rule4 adds card counting, the
// value of the lead, danger from players with few cards, help for the partner, and a return that does not hurt.
#pragma once
#include <span>

#include "native/guandan/knowledge.hpp"
#include "native/guandan/plan.hpp"

namespace mingpai::guandan {

inline constexpr int kRuleBots = 4;
// Sparring partners of a training: rule4 that weighs otherwise, numbered after the rule bots.
inline constexpr int kSparringBots = 3;

// What a seat may use for a decision.
struct Sight {
    int seat;
    int level;
    Phase phase;
    Cards hand;
    Cards unseen;
    Play best;      // to beat; a pass when leading
    int best_seat;  // kNobody when leading
    std::array<int, kSeats> sizes;
    NoReturn no_return;
    int receiver = kNobody;  // of the card to give or give back, where known
    // Expected copies of every kind at the next, the opposite and the previous seat, if somebody estimated them; else the unseen
    // cards are taken to lie by room in the hands.
    const float* estimate = nullptr;

    Sight(const Round& round, int seat);
    int partner() const { return partner_of(seat); }
};

// A play of the bot `number` (1..4, then the sparring partners) for the seat to move.
Play bot_play(int number, const Sight& sight);

// Appends the concrete plays of one pseudo-action that are worth a look, best first: fewest wild cards, straight flushes kept
// whole; of full houses those with the two pairs that are missed least.
void promising_plays(const Holding& holding, int pseudo, const Play* target, const Cards& hand, std::vector<Play>& out);

// How strongly each consideration of rule4 counts, in leads.
struct Weights {
    float lead = 0.5f;            // worth of winning the trick
    float lead_near_end = 0.5f;   // more when the rest of the hand is nearly out
    float danger = 0.9f;          // more when an opponent who would win it has few cards
    float keep_bomb = 0.5f;       // a bomb is worth this much beyond its lead
    float over_partner = 0.8f;    // playing over the partner
    float feed_opponent = 0.8f;   // leading a size that lets an opponent out
    float feed_partner = 0.5f;    // leading a size that lets the partner out
    float bomb_fear = 0.12f;      // chance that an opponent bombs what nobody else beats
    float hold_decay = 0.33f;     // how readily opponents use a higher card
    float nodes = 60;             // ways of taking sequences out that a plan tries
    float regain_single = 0.8f;   // how often a winner of the type takes a lead back
    float regain_pair = 0.7f;
    float regain_triple = 0.5f;
    float regain_full_house = 0.4f;
    float regain_plate = 0.1f;
    float regain_tube = 0.2f;
    float regain_straight = 0.3f;
    float full_house_hold = 0.35f;  // chance that a low full house wins its trick
    float run_out = 2.5f;         // worth of playing the rest out without losing a trick
    float partner_acts = 1.0f;    // share of the danger that is left when the partner can still beat the play
    float danger_reach = 0.4f;    // danger from a hand of nine to twelve cards
};
// The play of rule4 with other weights, for tuning.
Play weighted_play(const Weights& weights, const Sight& sight);

struct Scored {
    Play play;
    float score;  // in leads, against passing; against nothing when leading
};
// What rule4 weighs, best first; the pass with score 0 when following. Empty outside the tricks.
std::vector<Scored> rule4_scores(const Sight& sight);

// Groups of a plan are told apart by how likely they win a trick: less than these chances.
inline constexpr std::array<float, 3> kHoldSteps = {0.3f, 0.6f, 0.8f};

// What rule4's planning and counting say of a play, before any weighing.
struct Prospect {
    float gain;     // leads saved by the play: cost of the plan now minus that of the rest
    float after;    // cost of the plan of the rest, in leads
    float hold;     // chance that nobody beats it
    float run_out;  // chance to play the rest out from the lead without losing a trick
    Plan plan;      // of the rest
    std::array<uint8_t, kHoldSteps.size()> losers{};  // its groups that hold less often than each of kHoldSteps
};
// Prospects of plays for the seat to move; of a pass: what the hand costs now. `best_hold` gets the chance that the play to
// beat stands (0 when leading).
void prospects(const Sight& sight, std::span<const Play> plays, std::vector<Prospect>& out, float& best_hold);

// What the plan of a hand costs in leads, by rank alone, without counting cards.
float plan_cost(const Cards& hand, int level);

// Windows of five ranks that a hand holds in one suit, wild cards left out: straight flushes it could play.
int flush_windows(const Cards& hand, int level);

}  // namespace mingpai::guandan
