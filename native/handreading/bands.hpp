// The default model's likelihood of an action for all 1326 combinations (mingpai/methods/handreading/model.py).
#pragma once
#include <array>

#include "native/holdem/cards.hpp"

namespace mingpai::handreading {

inline constexpr int kActs = 6;  // fold, check, call, half pot, three quarters, pot

// Where an action's hands lie on the axis of equity.
struct Band {
    float low, high, baseline;
};

struct BandQuery {
    float power = 1;                    // equity is raised to it: more opponents
    float shift = 0;                    // then moved down by it: later streets
    std::array<Band, kActs> bands{};
    std::array<float, kActs> often{};   // how often each act is taken; 0 where illegal
    int act = 0;                        // the act observed
    float theta = 50, fall = 0.6F;      // likelihood inside a band, and its fall with the distance outside
    float tremble = 0;                  // share of actions that say nothing
};

inline float relative(float axis, const Band& band, float theta, float fall) {
    if (axis >= band.low && axis <= band.high) return theta;
    const float distance = axis > band.baseline ? axis - band.baseline : band.baseline - axis;
    return distance * theta <= fall ? theta : fall / distance;
}

// P(act | hand) of each combination with the given equities.
void band_likelihood(const float* equities, const BandQuery& query, float* out);

}  // namespace mingpai::handreading
