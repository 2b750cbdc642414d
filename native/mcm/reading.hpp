// The belief read again by the network: some of its worlds, each weighed by how likely the observed moves are when the others
// choose by the network's values from what they could see. The rule player's likelihood, which made the belief, keeps a part of
// its weight: the two models err in different ways.
#pragma once
#include <memory>
#include <vector>

#include "native/core/budget.hpp"
#include "native/core/rng.hpp"
#include "native/mcm/network.hpp"
#include "native/ruleplay/situation.hpp"

namespace mingpai::mcm {

struct ReadingSettings {
    int worlds = 64;           // worlds that are read again; 0: none, the belief stays as it is
    float temperature = 0.25f; // of the softmax over the network's values, in logits; 0: each player's own, told by its moves
    float noise = 0.03f;       // share of moves that follow no value
    float tempering = 0.5f;    // exponent of the network's likelihood
    float kept = 0.5f;         // exponent of the weight that the belief had given
};

// A possible hand of the next role and its weight. A belief is a row of them.
struct WeighedHand {
    Hand hand;
    double weight;
};

// The hands of a belief, with their weights to a power.
std::vector<WeighedHand> raised(std::vector<WeighedHand> hands, double power);

// `count` hands drawn by weight, spread evenly over the distribution, in any order; equal ones are one with their weights added.
// The weights of the result add up to one.
std::vector<WeighedHand> spread_draw(const std::vector<WeighedHand>& hands, int count, core::Rng& rng);

// Not for several threads at once.
class Reader {
  public:
    explicit Reader(std::shared_ptr<const Network> network) : network_(std::move(network)) {}

    // log of the likelihood of everything the others were seen to do, for each hand of the next role. Empty when the budget was
    // used up before.
    std::vector<double> log_likelihoods(const ruleplay::Situation& situation, const ReadingSettings& settings, const std::vector<Hand>& hands,
                                        core::Budget& budget);
    // The weights of `hands` times the tempered likelihood; as they are when the budget was used up.
    void weigh(const ruleplay::Situation& situation, const ReadingSettings& settings, std::vector<WeighedHand>& hands, core::Budget& budget);

  private:
    // A move of one of the others among several: the play before it.
    struct Seen {
        Play play;
        int role;
        Move move;
        Hand later;  // what the role has played from then on
    };

    std::shared_ptr<const Network> network_;
    TurnCache turns_;
    Questions questions_;
    Network::Scratch scratch_;
    doudizhu::MoveList list_;
    std::vector<float> values_;
};

}  // namespace mingpai::mcm
