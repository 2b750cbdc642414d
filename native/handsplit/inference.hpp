// What the others hold, judged by what they played and what they did not play: weighted worlds (particles), each weighted by
// the likelihood of every observed move and pass of its owner under a player model.
//
// A particle is an order of the hidden cards: of those not yet played, the first ones belong to the next role, the rest to
// the other. Every order is equally likely, whatever was played, so that the particles are always a uniform sample of the
// possible worlds; a particle whose hands do not contradict the new moves keeps them, and its likelihood goes on from where
// it stood. So the same seed and the same moves give the same particles, kept from move to move or made anew.
#pragma once
#include <cstdint>
#include <vector>

#include "native/core/budget.hpp"
#include "native/core/rng.hpp"
#include "native/ruleplay/policy.hpp"
#include "native/ruleplay/situation.hpp"

namespace mingpai::handsplit {

// The search is built on the rule player: it speaks of the same hands, worlds and situations.
using namespace ruleplay;

// A player who draws moves by softmax of the policy's score, and now and then plays anything.
struct PlayerModel {
    float temperature = 3.5f;  // of the softmax, in units of the weights
    float noise = 0.02f;       // share of moves that follow no plan
    float tempering = 0.7f;    // exponent of the likelihood; below 1 evidence counts less
};

// `known`, plus the log-likelihood of the others' observed moves from `from` on, when role r held start[r] at the first move.
double log_likelihood(const Situation& situation, const std::array<Hand, kRoles>& start, size_t from, double known,
                      const PlayerModel& model, Policy& policy);

// Weighted worlds that agree with a situation.
class Worlds {
  public:
    // `log_weights` need not be normalised.
    Worlds(std::vector<Hand> hands, std::vector<double> log_weights, const PlayerModel& model, bool uniform);

    int size() const { return static_cast<int>(hands_.size()); }
    // The hand of the next role in particle i; the other role has the rest of the unseen cards.
    Hand first_hand(int i) const { return hands_[static_cast<size_t>(i)]; }
    double weight(int i) const { return weights_[static_cast<size_t>(i)]; }
    // An index drawn by weight.
    int draw(core::Rng& rng) const;
    // 1 / sum of squared weights: as good as that many equal particles.
    double effective_size() const;
    // Expected number of cards of each rank that the next role holds.
    std::array<double, doudizhu::kRanks> expected_first() const;
    // log of how much likelier than under the uniform distribution a world is: tempered likelihood over its mean.
    double log_ratio(const Situation& situation, Hand first_hand, Policy& policy) const;

  private:
    std::vector<Hand> hands_;
    std::vector<double> weights_, cumulative_;
    PlayerModel model_;
    bool uniform_;
    double log_mean_ = 0;
};

class Particles {
  public:
    // `count` particles; with `uniform` set no likelihood is computed and all weigh the same.
    Particles(uint64_t seed, int count, const PlayerModel& model, bool uniform);

    // The worlds of a situation; `budget` may cut the work: particles not reached are left out. Kept likelihoods are used
    // when the situation continues the one before, else everything is computed anew.
    Worlds update(const Situation& situation, Policy& policy, core::Budget& budget);

    // Particles whose likelihood was carried on at the last update.
    int kept() const { return kept_; }

  private:
    static constexpr int kMaxHidden = doudizhu::kDeckCards;
    struct Slot {
        std::array<uint8_t, kMaxHidden> order;  // instance indices, by priority
        Hand first_start = 0, second_start = 0;  // hands before the first move
        size_t moves = 0;                        // moves whose likelihood is in
        double log_likelihood = 0;
        bool is_known = false;
    };

    bool continues(const Situation& situation) const;
    void prepare(const Situation& situation);
    Hand first_hand_of(const Slot& slot, const Situation& situation, uint64_t gone) const;

    uint64_t seed_;
    PlayerModel model_;
    bool uniform_;
    std::vector<Slot> slots_;
    int instance_count_ = 0;
    std::array<uint8_t, kMaxHidden> instance_rank_{};
    std::vector<Observed> moves_;
    Hand hidden_ = 0;
    int role_ = -1;
    int kept_ = 0;
};

}  // namespace mingpai::handsplit
