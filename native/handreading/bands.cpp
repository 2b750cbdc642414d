#include "native/handreading/bands.hpp"

#include <algorithm>
#include <cmath>

namespace mingpai::handreading {

void band_likelihood(const float* equities, const BandQuery& query, float* out) {
    constexpr int kFold = 0, kCheck = 1;
    const bool may_check = query.often[kCheck] > 0;
    int legal = 0;
    for (const float often : query.often) legal += often > 0;
    const float anything = query.tremble / static_cast<float>(std::max(legal, 1));
    for (int combo = 0; combo < holdem::kCombos; ++combo) {
        const float base = equities[combo];
        const float axis = (query.power == 1 ? base : std::pow(base, query.power)) - query.shift;
        float total = 0, chosen = 0;
        for (int act = 0; act < kActs; ++act) {
            if (query.often[act] <= 0) continue;
            float score = relative(axis, query.bands[act], query.theta, query.fall);
            // What would fold to a bet checks when there is none.
            if (act == kCheck && may_check) score = std::max(score, relative(axis, query.bands[kFold], query.theta, query.fall));
            score *= query.often[act];
            total += score;
            if (act == query.act) chosen = score;
        }
        out[combo] = (1 - query.tremble) * chosen / total + anything;
    }
}

}  // namespace mingpai::handreading
