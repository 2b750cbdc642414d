// A whole winning strategy: for every position the winners can be brought to, the move they answer with.
//
// Written down it is the list of those moves alone, in the order in which a walk over all defences first needs them. Reading it
// back repeats the walk, so a file that reads is a proof: every defence has its answer and every line ends in the win.
#pragma once
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "native/core/budget.hpp"
#include "native/endgame/position.hpp"
#include "native/endgame/solver.hpp"

namespace mingpai::endgame {

class Strategy {
  public:
    // None when the budget, or `max_positions`, did not suffice.
    static std::optional<Strategy> build(const Position& root, const Rules& rules, bool landlord_wins, size_t memory,
                                         size_t max_positions, core::Budget& budget);
    // None when the bytes are no winning strategy for this root.
    static std::optional<Strategy> read(const Position& root, const Rules& rules, bool landlord_wins,
                                        const std::vector<uint8_t>& bytes);
    std::vector<uint8_t> write() const;

    // The winners' move; none where the strategy never comes or the losers are to move.
    std::optional<Move> reply(const Position& position) const;
    size_t size() const { return replies_.size(); }
    const Position& root() const { return root_; }
    bool landlord_wins() const { return landlord_wins_; }

  private:
    Strategy(const Position& root, const Rules& rules, bool landlord_wins)
        : root_(root), rules_(rules), landlord_wins_(landlord_wins) {}

    bool is_winners_turn(const Position& position) const { return position.is_landlords_turn() == landlord_wins_; }
    // Visits every position that arises, each once; `choose` gives the winners' move there, or none to give up.
    template <class Choose>
    bool walk(const Position& position, Choose choose);

    Position root_;
    Rules rules_;
    bool landlord_wins_;
    std::unordered_map<StateKey, Move, StateKeyHash> replies_;
    std::unordered_map<StateKey, bool, StateKeyHash> seen_;  // defenders' positions visited, during a walk
    std::vector<uint8_t> bytes_;
};

}  // namespace mingpai::endgame
