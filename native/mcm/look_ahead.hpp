// What moves of a batch come to: each is played on with the hands as they were dealt, all seats playing what the network finds
// best from what that seat can see, until the judge values what is left. For learning: the dealt hands are a fair draw from what
// the seat to move cannot know.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "native/mcm/batch.hpp"
#include "native/mcm/network.hpp"
#include "native/mcm/playouts.hpp"
#include "native/ruleplay/policy.hpp"

namespace mingpai::mcm {

class LookAhead {
  public:
    // `network` plays, `judge` sees all hands. Throws std::invalid_argument for networks that see the wrong hands.
    LookAhead(std::shared_ptr<const Network> network, std::shared_ptr<const Network> judge, const ruleplay::Weights& weights);
    LookAhead(const LookAhead&) = delete;
    LookAhead& operator=(const LookAhead&) = delete;

    // What some moves (rows as `Batch::offsets` counts them) are worth to the seat to move after `depth` decisions more: by what
    // the deal is played for the chance to win, or points in stakes at the time of the decision.
    std::vector<float> values(const Batch& batch, std::span<const int32_t> rows, int depth);

  private:
    // The deals of one set of rules that are played for the same thing, and the places of their results.
    struct Group {
        const doudizhu::Rules* rules;
        Objective objective;
        std::vector<NetworkPlayer::Deal> deals{};
        std::vector<size_t> places{};
    };
    Group& group_of(std::vector<Group>& groups, const doudizhu::Rules& rules, Objective objective) const;

    std::shared_ptr<const Network> network_, judge_;
    ruleplay::Weights weights_;
};

}  // namespace mingpai::mcm
