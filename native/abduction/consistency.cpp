#include "native/abduction/consistency.hpp"

#include <algorithm>
#include <cmath>

namespace mingpai::abduction {

using namespace guandan;

namespace {

constexpr double kTolerance = 1e-10;
constexpr int kMostSteps = 200;

int entry(int other, int kind) { return other * kKinds + kind; }

// x[s] = clamp(y[s] - price[s] - mu) with sum `total`, for one kind; which of them lie strictly inside their bounds.
struct Share {
    std::array<double, kOthers> x{};
    std::array<bool, kOthers> free{};
};
Share share_out(const std::array<double, kOthers>& y, const std::array<double, kOthers>& low, const std::array<double, kOthers>& high,
                double total) {
    // The sum falls with mu, in straight pieces between the places where an entry meets a bound.
    std::array<double, 2 * kOthers> breaks;
    for (int s = 0; s < kOthers; ++s) {
        breaks[2 * s] = y[s] - high[s];
        breaks[2 * s + 1] = y[s] - low[s];
    }
    std::sort(breaks.begin(), breaks.end());
    const auto sum_at = [&](double mu) {
        double sum = 0;
        for (int s = 0; s < kOthers; ++s) sum += std::clamp(y[s] - mu, low[s], high[s]);
        return sum;
    };
    double left = breaks.front(), right = breaks.back();
    double left_sum = sum_at(left), right_sum = sum_at(right);
    for (double at : breaks) {
        const double sum = sum_at(at);
        if (sum >= total && at >= left) {
            left = at;
            left_sum = sum;
        }
        if (sum <= total && at <= right) {
            right = at;
            right_sum = sum;
            break;
        }
    }
    const double mu = left_sum > right_sum ? left + (right - left) * (left_sum - total) / (left_sum - right_sum) : left;
    Share out;
    for (int s = 0; s < kOthers; ++s) {
        out.x[s] = std::clamp(y[s] - mu, low[s], high[s]);
        out.free[s] = y[s] - mu > low[s] && y[s] - mu < high[s];
    }
    return out;
}

// Solves a 2 x 2 system with a little added on the diagonal, so that it always has a solution.
std::array<double, 2> solve(double a, double b, double c, const std::array<double, 2>& right) {
    constexpr double kRidge = 1e-9;
    a += kRidge;
    c += kRidge;
    const double det = a * c - b * b;
    if (std::abs(det) < 1e-14) return {right[0] / a, right[1] / c};
    return {(right[0] * c - right[1] * b) / det, (a * right[1] - b * right[0]) / det};
}

}  // namespace

Consistent::Consistent(const Knowledge& knowledge) {
    for (int i = 0; i < kOthers; ++i) {
        const int seat = (knowledge.seat + 1 + i) % kSeats;
        sizes[i] = knowledge.sizes[seat];
        for (int kind = 0; kind < kKinds; ++kind) {
            const int unseen_here = knowledge.unseen.count(kind), held = knowledge.held[seat].count(kind);
            int elsewhere = 0;
            for (int s = 0; s < kSeats; ++s) elsewhere += s == seat || s == knowledge.seat ? 0 : knowledge.held[s].count(kind);
            const bool barred = knowledge.barred[seat] >> kind & 1;
            low[entry(i, kind)] = held;
            high[entry(i, kind)] = std::min(knowledge.sizes[seat], barred ? held : unseen_here - elsewhere);
            unseen[kind] = unseen_here;
        }
    }
}

double Consistent::violation(const Estimate& x) const {
    double worst = 0;
    for (int i = 0; i < kEstimateSize; ++i) worst = std::max({worst, low[i] - x[i], x[i] - high[i]});
    for (int i = 0; i < kOthers; ++i) {
        double sum = 0;
        for (int kind = 0; kind < kKinds; ++kind) sum += x[entry(i, kind)];
        worst = std::max(worst, std::abs(sum - sizes[i]));
    }
    for (int kind = 0; kind < kKinds; ++kind) {
        double sum = 0;
        for (int i = 0; i < kOthers; ++i) sum += x[entry(i, kind)];
        worst = std::max(worst, std::abs(sum - unseen[kind]));
    }
    return worst;
}

// The dual in the prices of the hand sizes: given them, every kind is shared out exactly on its own. The third price is 0,
// since two hand sizes and the unseen cards give the third. Newton steps with a line search on the size of the gradient's
// potential, which is concave.
Estimate project(const Consistent& set, const Estimate& y) {
    std::array<double, kOthers> price{};
    Estimate x{};
    double h00 = 0, h01 = 0, h11 = 0;
    // The dual value; fills x, the gradient in the first two prices and the second derivatives.
    const auto evaluate = [&](const std::array<double, kOthers>& p, std::array<double, 2>& gradient) {
        double value = 0;
        std::array<double, kOthers> sums{};
        h00 = h01 = h11 = 0;
        for (int kind = 0; kind < kKinds; ++kind) {
            std::array<double, kOthers> shifted, low, high;
            for (int s = 0; s < kOthers; ++s) {
                shifted[s] = y[entry(s, kind)] - p[s];
                low[s] = set.low[entry(s, kind)];
                high[s] = set.high[entry(s, kind)];
            }
            const Share share = share_out(shifted, low, high, set.unseen[kind]);
            int free = 0;
            for (int s = 0; s < kOthers; ++s) {
                const double d = share.x[s] - y[entry(s, kind)];
                x[entry(s, kind)] = share.x[s];
                value += 0.5 * d * d + p[s] * share.x[s];
                sums[s] += share.x[s];
                free += share.free[s];
            }
            if (free < 2) continue;
            const double part = 1.0 / free;
            h00 += share.free[0] ? 1 - part : 0;
            h11 += share.free[1] ? 1 - part : 0;
            h01 += share.free[0] && share.free[1] ? -part : 0;
        }
        for (int s = 0; s < kOthers; ++s) value -= p[s] * set.sizes[s];
        for (int s = 0; s < 2; ++s) gradient[s] = sums[s] - set.sizes[s];
        return value;
    };
    std::array<double, 2> gradient{};
    double value = evaluate(price, gradient);
    for (int step = 0; step < kMostSteps && std::max(std::abs(gradient[0]), std::abs(gradient[1])) > kTolerance; ++step) {
        const auto direction = solve(h00, h01, h11, gradient);
        const double slope = direction[0] * gradient[0] + direction[1] * gradient[1];
        double length = 1;
        std::array<double, 2> next_gradient{};
        std::array<double, kOthers> next = price;
        double next_value = value;
        for (int halving = 0; halving < 60; ++halving, length *= 0.5) {
            for (int s = 0; s < 2; ++s) next[s] = price[s] + length * direction[s];
            next_value = evaluate(next, next_gradient);
            if (next_value >= value + 1e-4 * length * slope - 1e-13) break;
        }
        price = next;
        gradient = next_gradient;
        value = next_value;
    }
    return x;
}

Estimate counted(const Consistent& set) {
    Estimate start{};
    double room = 0;
    for (double size : set.sizes) room += size;
    for (int i = 0; i < kOthers; ++i) {
        for (int kind = 0; kind < kKinds; ++kind) start[entry(i, kind)] = room > 0 ? set.unseen[kind] * set.sizes[i] / room : 0;
    }
    return project(set, start);
}

EstimateSampler::EstimateSampler(const Knowledge& knowledge, const Estimate& estimate) : known_(knowledge), uniform_(knowledge) {
    constexpr double kLeast = 0.01;  // the estimate may be wrong: nothing possible gets no weight
    for (int i = 0; i < kEstimateSize; ++i) weight_[i] = static_cast<float>(std::max(estimate[i], kLeast));
}

std::array<Cards, kSeats> EstimateSampler::sample(core::Rng& rng) const {
    constexpr int kSweeps = 6;  // exchanges tried for each hidden card
    auto hands = uniform_.sample(rng);
    std::array<std::vector<uint8_t>, kOthers> piles;  // cards that may change hands
    std::array<int, kOthers> seats;
    int total = 0;
    for (int i = 0; i < kOthers; ++i) {
        seats[i] = (known_.seat + 1 + i) % kSeats;
        (hands[seats[i]] - known_.held[seats[i]]).each([&](int kind) { piles[i].push_back(static_cast<uint8_t>(kind)); });
        total += static_cast<int>(piles[i].size());
    }
    const auto may_hold = [&](int i, int kind) { return !(known_.barred[seats[i]] >> kind & 1); };
    for (int t = 0; t < kSweeps * total; ++t) {
        const int a = static_cast<int>(rng.below(kOthers)), b = (a + 1 + static_cast<int>(rng.below(kOthers - 1))) % kOthers;
        if (piles[a].empty() || piles[b].empty()) continue;
        uint8_t& one = piles[a][rng.below(static_cast<uint32_t>(piles[a].size()))];
        uint8_t& two = piles[b][rng.below(static_cast<uint32_t>(piles[b].size()))];
        if (one == two || !may_hold(a, two) || !may_hold(b, one)) continue;
        const float now = weight_[entry(a, one)] * weight_[entry(b, two)], then = weight_[entry(a, two)] * weight_[entry(b, one)];
        if (then >= now || rng.uniformf() * now < then) std::swap(one, two);
    }
    for (int i = 0; i < kOthers; ++i) {
        hands[seats[i]] = known_.held[seats[i]];
        for (int kind : piles[i]) hands[seats[i]].add(kind);
    }
    int big = 0;
    for (int s = 0; s < kSeats; ++s) big += (known_.not_both_big >> s & 1) ? hands[s].count(kBigJoker) : 0;
    return big < kCopies ? hands : uniform_.sample(rng);
}

}  // namespace mingpai::abduction
