// No-limit hold'em made small: hands in classes of strength, bets in five sizes, situations by what matters in them.
//
// A row is what a player of the small game can tell apart. It forgets how the pot came about (imperfect recall), so the same
// rows serve any stacks and any number of seats, in training and at a real table.
#pragma once
#include <array>
#include <cstdint>

#include "native/holdem/table.hpp"

namespace mingpai::regret {

inline constexpr int kStreets = 4;
inline constexpr int kStrengths = 12;  // classes of hands on each street
inline constexpr int kPrices = 4;      // nothing to call, up to about half a pot, up to about a pot, more
inline constexpr int kRaises = 4;      // on the street: 0, 1, 2, more
inline constexpr int kPositions = 2;   // the last to act on the street, or not
inline constexpr int kDepths = 4;      // chips left to play for, by the pot
inline constexpr int kLeaders = 3;     // who raised last in the hand: nobody, the player, somebody else
inline constexpr int kPlayers = 2;     // two in the hand, or more
inline constexpr int kRows = kStreets * kStrengths * kPrices * kRaises * kPositions * kDepths * kLeaders * kPlayers;

enum class Choice : uint8_t { kFold, kStay, kHalfPot, kPot, kAllIn };
inline constexpr int kChoices = 5;

// The class of a hand: by the share of better starting hands before the flop, by equity against a uniform hand after it. Equity
// on flop and turn is sampled, with random numbers that depend on the cards alone: the same hand has the same class always.
int strength_class(holdem::CardSet hand, holdem::CardSet board);

// The betting of a table, as a player of the small game sees it.
struct Scene {
    int row = 0;  // with the class of the hand still 0: add strength * kStrengthStep
    std::array<holdem::Action, kChoices> actions{};
    std::array<bool, kChoices> is_legal{};
};

inline constexpr int kStrengthStep = kRows / (kStreets * kStrengths);

// The seat to act of a table that is not over.
Scene scene_of(const holdem::Table& table);

}  // namespace mingpai::regret
