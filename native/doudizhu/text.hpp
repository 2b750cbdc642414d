// How cards and moves are written. Reading is done in Python (mingpai/games/doudizhu/notation.py).
#pragma once
#include <string>
#include <string_view>

#include "native/doudizhu/movegen.hpp"

namespace mingpai::doudizhu {

inline constexpr std::string_view kRankLetters = "3456789TJQKA2XD";
static_assert(kRankLetters.size() == kRanks);

inline constexpr std::string_view kTypeNames[] = {
    "pass",         "single",          "pair",          "triple",       "triple_single", "triple_pair",
    "straight",     "pair_straight",   "airplane",      "airplane_singles", "airplane_pairs", "four_singles",
    "four_pairs",   "bomb",            "rocket",        "four_straight", "four_straight_singles", "four_straight_pairs",
};
static_assert(std::size(kTypeNames) == kTypes);

// Cards from low to high, for example "3344TX".
std::string text_of(Hand cards);
// The cards; "pass"; where some rules read the cards in several ways, CARDS@TYPE, and CARDS@TYPE/RANK where the type is not
// enough.
std::string text_of(const Move& move);

}  // namespace mingpai::doudizhu
