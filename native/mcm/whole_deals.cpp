#include "native/mcm/whole_deals.hpp"

#include <algorithm>

#include "native/core/budget.hpp"

namespace mingpai::mcm {

namespace {

// Deals played side by side.
constexpr size_t kSideBySide = 256;

OpenTable table_of(const DealtCards& cards, int landlord) {
    OpenTable table;
    table.play = Play(cards.bottom);
    for (int role = 0; role < kRoles; ++role) table.hands[role] = cards.hands[static_cast<size_t>((landlord + role) % kRoles)];
    table.hands[kLandlord] += cards.bottom;
    return table;
}

}  // namespace

std::vector<float> landlord_stakes(const Network& network, const doudizhu::Rules& rules, const ruleplay::Weights& weights,
                                   std::span<const DealtCards> deals) {
    NetworkPlayer player(network, nullptr, rules, weights);
    core::Budget budget;
    std::vector<float> out;
    for (size_t first = 0; first < deals.size(); first += kSideBySide) {
        std::vector<NetworkPlayer::Deal> tables;
        for (const DealtCards& cards : deals.subspan(first, std::min(kSideBySide, deals.size() - first))) {
            for (int landlord = 0; landlord < kRoles; ++landlord) tables.push_back({table_of(cards, landlord)});
        }
        player.play_out(tables, Objective::Points, 0, budget);
        for (const NetworkPlayer::Deal& deal : tables) out.push_back(static_cast<float>(result_of(deal, kLandlord, 0, rules, true)));
    }
    return out;
}

}  // namespace mingpai::mcm
