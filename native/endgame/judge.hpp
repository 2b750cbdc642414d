// What a judge of open positions must tell the proof: nothing of it is believed, it only says where to look first.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "native/endgame/search.hpp"

namespace mingpai::endgame {

// A choice with who made it.
struct Made {
    uint8_t mover = 0;
    Choice choice;
};

// Values the choices of a state. One for each thread.
class Judge {
  public:
    virtual ~Judge() = default;
    // Called once before the states that follow from a root.
    virtual void reset(const Position& root) = 0;
    // For each choice the logit of the chance that the landlord wins once it is made. `history` leads from the root to the state,
    // without the passes of players who could not answer.
    virtual void value(std::span<const Made> history, const State& state, std::span<const Choice> choices,
                       std::vector<float>& out) = 0;
};

// Makes judges that share what can be shared. Safe to use from several threads.
class JudgeMaker {
  public:
    virtual ~JudgeMaker() = default;
    virtual std::unique_ptr<Judge> make() const = 0;
    // Does it know positions of so many players?
    virtual bool knows(int players) const = 0;
};

}  // namespace mingpai::endgame
