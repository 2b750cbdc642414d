// The open network as the judge of the endgame solver: where a proof should look first.
#pragma once
#include <memory>

#include "native/endgame/judge.hpp"
#include "native/mcm/network.hpp"

namespace mingpai::mcm {

// Knows three-handed positions only, as the network does.
class OpenJudges : public endgame::JudgeMaker {
  public:
    // Throws std::invalid_argument unless the network sees all hands.
    explicit OpenJudges(std::shared_ptr<const Network> network);
    std::unique_ptr<endgame::Judge> make() const override;
    bool knows(int players) const override { return players == kRoles; }

  private:
    std::shared_ptr<const Network> network_;
};

}  // namespace mingpai::mcm
