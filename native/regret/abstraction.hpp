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

enum class Choice : uint8_t { kFold, kStay, kSmall, kLarge, kAllIn };
inline constexpr int kChoices = 5;

// What differs between two small games: where the classes of hands end, and the sizes of raises by the pot.
struct SmallGame {
    std::array<double, kStrengths - 1> places;    // shares of better starting hands
    std::array<double, kStrengths - 1> equities;  // against a uniform hand
    std::array<double, 2> raises;                 // of kSmall and kLarge
};

// Twelve classes of hands, raises of half a pot and a pot.
inline constexpr SmallGame kTwelve = {{0.02, 0.05, 0.09, 0.14, 0.20, 0.28, 0.37, 0.47, 0.58, 0.70, 0.84},
                                      {0.20, 0.30, 0.38, 0.45, 0.52, 0.60, 0.67, 0.74, 0.81, 0.88, 0.94},
                                      {0.5, 1.0}};
// Eight classes with other ends, other raises: a player of the same kind who plays otherwise. Nothing is above 2.
inline constexpr SmallGame kEight = {{0.03, 0.08, 0.16, 0.27, 0.42, 0.60, 0.80, 2, 2, 2, 2},
                                     {0.26, 0.38, 0.48, 0.58, 0.68, 0.78, 0.89, 2, 2, 2, 2},
                                     {0.35, 0.75}};

// The class of a hand: by the share of better starting hands before the flop, by equity against a uniform hand after it. Equity
// on flop and turn is sampled, with random numbers that depend on the cards alone: the same hand has the same class always.
int strength_class(holdem::CardSet hand, holdem::CardSet board, const SmallGame& game);

// The betting of a table, as a player of the small game sees it.
struct Scene {
    int row = 0;  // with the class of the hand still 0: add strength * kStrengthStep
    std::array<holdem::Action, kChoices> actions{};
    std::array<bool, kChoices> is_legal{};
};

inline constexpr int kStrengthStep = kRows / (kStreets * kStrengths);

// The seat to act of a table that is not over.
Scene scene_of(const holdem::Table& table, const SmallGame& game);

}  // namespace mingpai::regret
