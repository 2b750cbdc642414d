#include "native/handreading/family.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace mingpai::handreading {

using namespace holdem;

namespace {

constexpr double kEquityNoise = 0.065;   // half the width of a ramp over equity
constexpr double kStartingNoise = 0.03;  // and over the place of a starting hand
constexpr double kTremble = 0.02;        // share of actions that follow no rule
constexpr double kFreeBlinds = 3.0;      // a price up to this many big blinds does not narrow the calling range

struct Number {
    double Style::*field;
    std::vector<double> grid;
};

// The numbers that are learned, each with values spread over what players do. All values are equally likely at first.
const std::vector<Number>& numbers() {
    static const std::vector<Number> all = {
        {&Style::limp, {0.03, 0.06, 0.10, 0.15, 0.20, 0.27, 0.35, 0.45, 0.58, 0.72, 0.88}},
        {&Style::open, {0.0, 0.01, 0.03, 0.06, 0.10, 0.15, 0.20, 0.28, 0.40, 0.60}},
        {&Style::call_raise, {0.005, 0.02, 0.04, 0.07, 0.10, 0.15, 0.20, 0.28, 0.40, 0.55}},
        {&Style::reraise, {0.0, 0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.11, 0.16, 0.25}},
        {&Style::late, {0.0, 0.15, 0.30, 0.50, 0.80}},
        {&Style::caution, {0.30, 0.45, 0.60, 0.75, 0.90}},
        {&Style::bet, {0.35, 0.40, 0.45, 0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90}},
        {&Style::raise, {0.50, 0.55, 0.60, 0.65, 0.70, 0.75, 0.80, 0.85, 0.90, 0.95}},
        {&Style::margin, {-0.10, -0.06, -0.02, 0.02, 0.06, 0.10, 0.14, 0.18, 0.22}},
        {&Style::fear, {0.0, 0.1, 0.2, 0.3, 0.4, 0.5}},
        {&Style::bluff, {0.0, 0.05, 0.10, 0.18, 0.26, 0.35, 0.45, 0.60}},
        {&Style::bluff_raise, {0.0, 0.03, 0.06, 0.12, 0.20}},
        {&Style::follow_up, {0.0, 0.15, 0.30, 0.45, 0.60}},
        {&Style::slow, {0.0, 0.1, 0.2, 0.3, 0.4}},
    };
    return all;
}

constexpr double kSizePrior = 2;  // raises that the default sizes are worth
constexpr double kDefaultSize = 0.65, kDefaultOpen = 3.0;

// Whether a number of the style bears on the situation.
bool matters(double Style::*field, const BettingSpot& s) {
    if (field == &Style::slow) return true;
    if (field == &Style::late) return s.is_preflop && s.lateness > 0;
    if (s.is_preflop && s.raises == 0) return field == &Style::limp || field == &Style::open;
    if (s.is_preflop) return field == &Style::call_raise || field == &Style::reraise || field == &Style::caution;
    if (s.is_free) return field == &Style::bet || field == &Style::bluff || (s.has_led && field == &Style::follow_up);
    return field == &Style::raise || field == &Style::margin || field == &Style::fear || field == &Style::bluff_raise;
}

// A situation as thresholds on the axis: a hand raises on the good side of the first, stays on the good side of the second.
struct Thresholds {
    float raise, stay;
    float slope;        // of the ramps; below 0 where less is better
    float raises;       // of the hands good enough to, the share that does
    float bluffs;       // of the hands that are not good enough to stay (or to bet), the share that raises
    bool is_free;
};

Thresholds thresholds_of(const Style& style, const BettingSpot& s) {
    Thresholds t{};
    t.is_free = s.is_free;
    t.raises = static_cast<float>(1 - style.slow);
    if (s.is_preflop) {
        const double wider = 1 + style.late * s.lateness;
        const auto among = [&](double share) { return static_cast<float>(widened(std::min(1.0, share * wider), s.others)); };
        t.slope = static_cast<float>(-0.5 / kStartingNoise);
        if (s.raises == 0) {
            t.raise = among(style.open);
            t.stay = among(style.limp);
        } else {
            const double narrower = std::pow(std::max(1.0, s.cost / kFreeBlinds), -style.caution);
            t.raise = among(style.reraise * narrower);
            t.stay = among(style.call_raise * narrower / s.raises);
        }
        return t;
    }
    const double power = std::log2(s.others + 1.0);
    t.slope = static_cast<float>(0.5 / kEquityNoise);
    if (s.is_free) {
        t.raise = t.stay = static_cast<float>(std::pow(style.bet, power));
        t.bluffs = static_cast<float>(std::min(1.0, style.bluff + (s.has_led ? style.follow_up : 0.0)));
        return t;
    }
    const double written_off = style.fear * s.price * s.raises;
    t.raise = static_cast<float>(std::pow(style.raise, power) + written_off);
    t.stay = static_cast<float>(s.price + style.margin + written_off);
    t.bluffs = static_cast<float>(style.bluff_raise);
    return t;
}

float ramp(float axis, float threshold, float slope) { return std::clamp(0.5F + (axis - threshold) * slope, 0.0F, 1.0F); }

struct Chances {
    float fold, call, raise;
};

Chances chances_of(const Thresholds& t, float axis) {
    const float raise = t.raises * ramp(axis, t.raise, t.slope);
    const float stay = t.is_free ? 1.0F : ramp(axis, t.stay, t.slope);
    if (t.is_free) {
        const float good = ramp(axis, t.raise, t.slope);
        const float bet = t.raises * good + t.bluffs * (1 - good);
        return {0, 1 - bet, bet};
    }
    const float rest = 1 - raise, gives_up = rest * (1 - stay);
    return {gives_up * (1 - t.bluffs), rest * stay, raise + gives_up * t.bluffs};
}

float chance_of(const Thresholds& t, Answer answer, float axis) {
    const Chances chances = chances_of(t, axis);
    return answer == Answer::kFold ? chances.fold : answer == Answer::kCall ? chances.call : chances.raise;
}

}  // namespace

// A range by where its hands lie on the axis: likelihoods depend on nothing else.
struct Learner::Histogram {
    static constexpr int kBins = 128;
    std::array<float, kBins> weights{}, axis{};  // axis: the mean of the bin
    double total = 0;

    Histogram(const float* places, const float* range) {
        for (int combo = 0; combo < kCombos; ++combo) {
            const int bin = std::clamp(static_cast<int>(places[combo] * kBins), 0, kBins - 1);
            weights[bin] += range[combo];
            axis[bin] += range[combo] * places[combo];
        }
        int kept = 0;
        for (int bin = 0; bin < kBins; ++bin) {
            if (!(weights[bin] > 0)) continue;
            axis[kept] = axis[bin] / weights[bin];
            weights[kept++] = weights[bin];
            total += weights[kept - 1];
        }
        count = kept;
    }

    double likelihood(const Thresholds& t, Answer answer) const {
        double sum = 0;
        for (int i = 0; i < count; ++i) sum += weights[i] * chance_of(t, answer, axis[i]);
        return sum / total;
    }

  private:
    int count = 0;
};

void respond(const Style& style, const BettingSpot& spot, const float* axis, AnswerChances& out) {
    const Thresholds t = thresholds_of(style, spot);
    constexpr float kKeep = static_cast<float>(1 - kTremble);
    const float anything = static_cast<float>(kTremble) / (spot.is_free ? 2 : 3);
    for (int combo = 0; combo < kCombos; ++combo) {
        const Chances chances = chances_of(t, axis[combo]);
        out[0][combo] = spot.is_free ? 0 : kKeep * chances.fold + anything;
        out[1][combo] = kKeep * chances.call + anything;
        out[2][combo] = kKeep * chances.raise + anything;
    }
}

void multiway(const float* equity, const float* spread, int others, float* out) {
    for (int combo = 0; combo < kCombos; ++combo) {
        const float mean = equity[combo], variance = spread[combo] * spread[combo];
        float product = mean;
        if (others > 1 && mean > 0 && mean < 1) {
            // a + b of the beta distribution; without spread the share itself is raised to the power.
            const float size = variance > 1e-6F ? std::max(mean * (1 - mean) / variance - 1, 0.05F) : 1e6F;
            const float a = mean * size;
            for (int i = 1; i < others; ++i) product *= (a + static_cast<float>(i)) / (size + static_cast<float>(i));
        }
        out[combo] = product;
    }
}

Learner::Learner() : sizes_{kSizePrior * kDefaultSize, kSizePrior, kSizePrior * kDefaultOpen, kSizePrior} {
    for (const Number& number : numbers()) {
        chances_.emplace_back(number.grid.size(), 1.0 / static_cast<double>(number.grid.size()));
    }
    take_means();
}

void Learner::observe(const BettingSpot& spot, Answer answer, const float* axis, const float* weights) {
    const Histogram histogram(axis, weights);
    if (!(histogram.total > 0)) return;
    for (size_t i = 0; i < numbers().size(); ++i) {
        if (matters(numbers()[i].field, spot)) learn(i, spot, answer, histogram);
    }
    take_means();
}

void Learner::learn(size_t number, const BettingSpot& spot, Answer answer, const Histogram& histogram) {
    const Number& item = numbers()[number];
    Style imagined = style_;
    std::vector<double>& chances = chances_[number];
    double sum = 0;
    for (size_t i = 0; i < chances.size(); ++i) {
        imagined.*item.field = item.grid[i];
        const double likelihood = histogram.likelihood(thresholds_of(imagined, spot), answer);
        chances[i] *= (1 - kTremble) * likelihood + kTremble / kAnswers;
        sum += chances[i];
    }
    for (double& chance : chances) chance /= sum;
}

void Learner::observe_size(bool is_preflop, double size) {
    sizes_[is_preflop ? 2 : 0] += size;
    sizes_[is_preflop ? 3 : 1] += 1;
    take_means();
}

void Learner::take_means() {
    for (size_t i = 0; i < numbers().size(); ++i) {
        double mean = 0;
        for (size_t j = 0; j < chances_[i].size(); ++j) mean += chances_[i][j] * numbers()[i].grid[j];
        style_.*numbers()[i].field = mean;
    }
    style_.size = sizes_[0] / sizes_[1];
    style_.open_size = sizes_[2] / sizes_[3];
}

Style Learner::draw(core::Rng& rng) const {
    Style drawn = style_;
    for (size_t i = 0; i < numbers().size(); ++i) {
        double left = rng.uniform();
        size_t j = 0;
        while (j + 1 < chances_[i].size() && left >= chances_[i][j]) left -= chances_[i][j++];
        drawn.*numbers()[i].field = numbers()[i].grid[j];
    }
    return drawn;
}

std::vector<std::vector<double>> Learner::state() const {
    std::vector<std::vector<double>> all = chances_;
    all.emplace_back(sizes_.begin(), sizes_.end());
    return all;
}

void Learner::restore(const std::vector<std::vector<double>>& state) {
    bool fits = state.size() == chances_.size() + 1 && state.back().size() == sizes_.size();
    for (size_t i = 0; fits && i < chances_.size(); ++i) fits = state[i].size() == chances_[i].size();
    if (!fits) throw std::invalid_argument("the state of a learner of another shape");
    std::copy(state.begin(), state.end() - 1, chances_.begin());
    std::copy(state.back().begin(), state.back().end(), sizes_.begin());
    take_means();
}

}  // namespace mingpai::handreading
