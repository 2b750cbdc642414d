#include "native/doudizhu/text.hpp"

namespace mingpai::doudizhu {
namespace {

// Rules under which every reading of some profile exists.
constexpr Rules kFreestRules = [] {
    Rules rules;
    rules.types = (1u << kTypes) - 1;
    rules.both_jokers_as_kickers = true;
    return rules;
}();

}  // namespace

std::string text_of(Hand cards) {
    std::string out;
    for (int rank = 0; rank < kRanks; ++rank) out.append(static_cast<size_t>(count_of(cards, rank)), kRankLetters[rank]);
    return out;
}

std::string text_of(const Move& move) {
    if (move.is_pass()) return std::string(kTypeNames[0]);
    std::string out = text_of(move.cards);
    const Readings readings = classify(move.cards, kFreestRules);
    if (readings.size < 2) return out;
    out.append("@").append(kTypeNames[static_cast<int>(move.type)]);
    int same_type = 0;
    for (const Move& reading : readings) same_type += reading.type == move.type;
    if (same_type > 1) out.append("/").append(1, kRankLetters[move.rank]);
    return out;
}

}  // namespace mingpai::doudizhu
