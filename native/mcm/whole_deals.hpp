// Whole deals played by the network at all seats: what being landlord, or not, is worth with the cards as they lie.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "native/mcm/network.hpp"
#include "native/mcm/playouts.hpp"
#include "native/ruleplay/policy.hpp"

namespace mingpai::mcm {

struct DealtCards {
    std::array<Hand, kRoles> hands;  // by seat, before anybody takes the bottom cards
    Hand bottom;
};

// For each deal, three numbers: stakes of a farmer that the landlord wins or loses when the first, second, third seat is
// landlord, all seats playing for points. A bid counts one.
std::vector<float> landlord_stakes(const Network& network, const doudizhu::Rules& rules, const ruleplay::Weights& weights,
                                   std::span<const DealtCards> deals);

}  // namespace mingpai::mcm
