// Rule profiles: every point on which public programs disagree is a switch (RULES.md, clause 9).
#pragma once
#include <cstring>

#include "native/guandan/cards.hpp"

namespace mingpai::guandan {

enum class RoundLevel : uint8_t { Higher, Winners };            // the higher of both teams, or the level of the last winners
enum class WinAtA : uint8_t { PartnerNotLast, FirstAndSecond };  // what wins the match at A, besides coming first
enum class FailAtA : uint8_t { NotWon, PartnerLast };           // what counts: any own round at A not won, or only first-and-last
enum class Pairing : uint8_t { HigherCard, Seat };              // who pays the first in a double tribute
enum class TieLeads : uint8_t { PayerOfFirst, LastInOrder };    // who leads after two equal tributes
enum class NoReturn : uint8_t { Lowest, Any };                  // nothing to return by the rule: the lowest card, or any
enum class WildStraight : uint8_t { Flush, Either };            // suited cards and a wild one: a straight flush only, or also a straight

struct Profile {
    const char* name;
    RoundLevel round_level;
    WinAtA win_at_a;
    FailAtA fail_at_a;
    uint8_t failures;    // this many failures at A send a team back to 2
    uint8_t demotions;   // this many demotions of both teams together draw the match; 0: never
    Pairing pairing;
    TieLeads tie_leads;
    NoReturn no_return;
    WildStraight wild_straight;
};

inline constexpr Profile kProfiles[] = {
    {"huaian2017", RoundLevel::Higher, WinAtA::PartnerNotLast, FailAtA::NotWon, 3, 0, Pairing::HigherCard,
     TieLeads::PayerOfFirst, NoReturn::Lowest, WildStraight::Flush},
    {"njupt-v1006", RoundLevel::Winners, WinAtA::FirstAndSecond, FailAtA::NotWon, 2, 50, Pairing::HigherCard,
     TieLeads::PayerOfFirst, NoReturn::Lowest, WildStraight::Flush},
    {"openguandan", RoundLevel::Winners, WinAtA::PartnerNotLast, FailAtA::PartnerLast, 4, 0, Pairing::Seat,
     TieLeads::LastInOrder, NoReturn::Any, WildStraight::Either},
    {"njupt-either", RoundLevel::Winners, WinAtA::FirstAndSecond, FailAtA::NotWon, 2, 50, Pairing::HigherCard,
     TieLeads::PayerOfFirst, NoReturn::Lowest, WildStraight::Either},
    {"botzone", RoundLevel::Winners, WinAtA::PartnerNotLast, FailAtA::NotWon, 3, 0, Pairing::HigherCard,
     TieLeads::PayerOfFirst, NoReturn::Lowest, WildStraight::Flush},
};

// nullptr if there is no profile of that name.
inline const Profile* find_profile(const char* name) {
    for (const Profile& profile : kProfiles) {
        if (std::strcmp(profile.name, name) == 0) return &profile;
    }
    return nullptr;
}

}  // namespace mingpai::guandan
