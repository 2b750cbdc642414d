// The switches in which Dou Dizhu programs differ, and the named profiles. The clauses are in
// mingpai/games/doudizhu/RULES.md.
#pragma once
#include <cstdint>
#include <string_view>

#include "native/doudizhu/move.hpp"

namespace mingpai::doudizhu {

enum class Bidding : uint8_t {
    None,     // seat 0 is the landlord
    Score,    // one round, each seat bids once: 0 or more than the highest bid
    Auction,  // as Score, but seats go on in turn until two passes follow a bid
    CallRob,  // call, then rob
};

constexpr uint32_t type_bit(Type type) { return 1u << static_cast<int>(type); }
inline constexpr uint32_t kFourStraightTypes =
    type_bit(Type::FourStraight) | type_bit(Type::FourStraightSingles) | type_bit(Type::FourStraightPairs);
inline constexpr uint32_t kUsualTypes = ((1u << kTypes) - 1) & ~kFourStraightTypes;

struct Rules {
    uint32_t types = kUsualTypes;         // bit per Type: moves of other types do not exist
    uint8_t same_kicker_limit = 4;        // single kickers of one rank in one move
    uint8_t beside_kicker_limit = 4;      // the same, for ranks up to A right beside the chain of an airplane
    bool both_jokers_as_kickers = false;  // single kickers may be both jokers at once
    bool same_pair_kickers = true;        // two pair kickers may be of one rank
    Bidding bidding = Bidding::Score;
    bool spring_doubles = true;  // spring and anti-spring double the score
    bool bombs_double = true;    // each bomb and the rocket double the score
    bool unit_score = false;     // the winners get 1, the losers 0, whatever was bid and played

    constexpr bool allows(Type type) const { return (types & type_bit(type)) != 0; }
    // Which doublings the score counts.
    constexpr bool counts_bombs() const { return bombs_double && !unit_score; }
    constexpr bool counts_springs() const { return spring_doubles && !unit_score; }
    constexpr void ban(Type type) { types &= ~type_bit(type); }
    friend bool operator==(const Rules&, const Rules&) = default;
};

constexpr Rules standard_rules() { return Rules{}; }
constexpr Rules douzero_rules() {
    Rules rules;
    rules.both_jokers_as_kickers = true;
    rules.same_pair_kickers = false;
    rules.bidding = Bidding::None;
    rules.spring_doubles = false;
    return rules;
}
constexpr Rules rlcard_rules() {
    Rules rules;
    rules.same_kicker_limit = 3;
    rules.beside_kicker_limit = 2;
    rules.same_pair_kickers = false;
    rules.bidding = Bidding::None;
    rules.spring_doubles = false;
    rules.bombs_double = false;
    rules.unit_score = true;
    return rules;
}
constexpr Rules openspiel_rules() {
    Rules rules;
    rules.ban(Type::FourSingles);
    rules.ban(Type::FourPairs);
    rules.same_kicker_limit = 3;
    rules.beside_kicker_limit = 3;
    rules.same_pair_kickers = false;
    rules.bidding = Bidding::Auction;
    return rules;
}
constexpr Rules botzone_rules() {
    Rules rules;
    rules.types |= kFourStraightTypes;
    rules.same_kicker_limit = 1;
    rules.beside_kicker_limit = 1;
    rules.both_jokers_as_kickers = true;
    rules.same_pair_kickers = false;
    return rules;
}

struct Profile {
    std::string_view name;
    Rules rules;
};
inline constexpr Profile kProfiles[] = {
    {"standard", standard_rules()},   {"douzero", douzero_rules()}, {"rlcard", rlcard_rules()},
    {"openspiel", openspiel_rules()}, {"botzone", botzone_rules()},
};
// Null when no profile has that name.
constexpr const Rules* find_profile(std::string_view name) {
    for (const auto& profile : kProfiles) {
        if (profile.name == name) return &profile.rules;
    }
    return nullptr;
}

}  // namespace mingpai::doudizhu
