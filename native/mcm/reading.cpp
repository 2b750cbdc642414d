#include "native/mcm/reading.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "native/doudizhu/movegen.hpp"

namespace mingpai::mcm {

namespace {

// Decisions that are valued in one call: what stays in the cache.
constexpr int kBatch = 128;
// How exact a player may be when nothing is said of it: from one who misses little to one who hardly follows the values.
constexpr std::array kTemperatures = {0.12f, 0.25f, 0.5f, 1.0f};

struct Question {
    size_t hand;
    int role;
    int chosen;  // index of the move seen
};

// Log-likelihoods of what each role did in one world, by how exact it is.
using ByRole = std::array<std::array<double, kTemperatures.size()>, kRoles>;

// log of the mean over equally likely kinds of players, and that for all roles.
double log_mean_likelihood(const ByRole& by_role, size_t kinds) {
    double total = 0;
    for (const auto& of_role : by_role) {
        const double best = *std::max_element(of_role.begin(), of_role.begin() + static_cast<long>(kinds));
        double sum = 0;
        for (size_t kind = 0; kind < kinds; ++kind) sum += std::exp(of_role[kind] - best);
        total += best + std::log(sum / static_cast<double>(kinds));
    }
    return total;
}

// log of the share that a softmax of the values of rows [first, end) gives to the chosen one, with noise.
double log_share(const std::vector<float>& values, int first, int end, int chosen, float temperature, float noise) {
    const auto value = [&](int row) { return values[static_cast<size_t>(row) * kValueColumns + kWinColumn]; };
    float best = value(first);
    for (int row = first + 1; row < end; ++row) best = std::max(best, value(row));
    double sum = 0;
    for (int row = first; row < end; ++row) sum += std::exp(static_cast<double>((value(row) - best) / temperature));
    const double share = std::exp(static_cast<double>((value(first + chosen) - best) / temperature)) / sum;
    return std::log(noise + (1 - noise) * share);
}

}  // namespace

std::vector<WeighedHand> raised(std::vector<WeighedHand> hands, double power) {
    for (WeighedHand& hand : hands) hand.weight = std::pow(hand.weight, power);
    return hands;
}

std::vector<WeighedHand> spread_draw(const std::vector<WeighedHand>& hands, int count, core::Rng& rng) {
    double total = 0;
    for (const WeighedHand& hand : hands) total += hand.weight;
    std::vector<WeighedHand> drawn;
    const double start = rng.uniform();
    double sum = 0;
    size_t next = 0;
    for (int i = 0; i < count; ++i) {
        const double at = (i + start) / count * total;
        while (next < hands.size() && (next == 0 || sum <= at)) sum += hands[next++].weight;
        drawn.push_back({hands[next - 1].hand, 1.0 / count});
    }
    std::sort(drawn.begin(), drawn.end(), [](const WeighedHand& a, const WeighedHand& b) { return a.hand < b.hand; });
    size_t kept_count = 0;
    for (const WeighedHand& hand : drawn) {
        if (kept_count > 0 && drawn[kept_count - 1].hand == hand.hand) {
            drawn[kept_count - 1].weight += hand.weight;
        } else {
            drawn[kept_count++] = hand;
        }
    }
    drawn.resize(kept_count);
    rng.shuffle(drawn.data(), static_cast<uint32_t>(drawn.size()));
    return drawn;
}

std::vector<double> Reader::log_likelihoods(const ruleplay::Situation& situation, const ReadingSettings& settings,
                                            const std::vector<Hand>& hands, core::Budget& budget) {
    // 1. The play before every move of the others.
    std::vector<Seen> seen;
    Play play(situation.bottom());
    play.deck = situation.unseen() + situation.now().hands[situation.role()];
    for (int role = 0; role < kRoles; ++role) {
        play.deck += situation.played(role);
        play.dealt[role] = static_cast<uint8_t>(situation.now().counts[role] + doudizhu::card_count(situation.played(role)));
    }
    const auto& moves = situation.moves();
    if (!moves.empty()) play.turn = static_cast<uint8_t>(moves[0].role);
    for (size_t i = 0; i < moves.size(); ++i) {
        const int role = moves[i].role;
        if (role != situation.role()) {
            seen.push_back({play, role, moves[i].move, situation.played(role) - situation.played_before(i, role)});
        }
        play.apply(moves[i].move);
    }

    // 2. How likely each was in each world, many decisions in one call.
    const std::array one = {settings.temperature};
    const std::span<const float> temperatures = settings.temperature > 0 ? std::span<const float>(one) : kTemperatures;
    std::vector<ByRole> likelihoods(hands.size(), ByRole{});
    std::vector<Question> asked;
    const auto answer = [&] {
        network_->values(questions_, scratch_, values_);
        for (size_t k = 0; k < asked.size(); ++k) {
            auto& of_role = likelihoods[asked[k].hand][static_cast<size_t>(asked[k].role)];
            for (size_t kind = 0; kind < temperatures.size(); ++kind) {
                of_role[kind] += log_share(values_, questions_.offsets[k], questions_.offsets[k + 1], asked[k].chosen, temperatures[kind],
                                           settings.noise);
            }
        }
        const bool is_spent = budget.spend(asked.size());
        questions_.clear();
        asked.clear();
        return !is_spent;
    };
    questions_.clear();
    for (size_t h = 0; h < hands.size(); ++h) {
        const ruleplay::World world = situation.world_with(hands[h]);
        for (const Seen& move : seen) {
            const Hand hand = world.hands[move.role] + move.later;
            doudizhu::legal_moves(hand, move.play.last, situation.rules(), list_);
            if (list_.size() < 2) continue;
            const auto place = std::find(list_.begin(), list_.end(), move.move);
            asked.push_back({h, move.role, static_cast<int>(place - list_.begin())});
            questions_.add({move.play, hand, Objective::Win, situation.rules()}, {list_.begin(), list_.end()}, turns_);
            if (asked.size() == kBatch && !answer()) return {};
        }
    }
    if (!asked.empty() && !answer()) return {};
    std::vector<double> out;
    for (const ByRole& by_role : likelihoods) out.push_back(log_mean_likelihood(by_role, temperatures.size()));
    return out;
}

void Reader::weigh(const ruleplay::Situation& situation, const ReadingSettings& settings, std::vector<WeighedHand>& hands,
                   core::Budget& budget) {
    std::vector<Hand> plain;
    for (const WeighedHand& hand : hands) plain.push_back(hand.hand);
    const std::vector<double> likelihoods = log_likelihoods(situation, settings, plain, budget);
    if (likelihoods.empty()) return;
    const double best = *std::max_element(likelihoods.begin(), likelihoods.end());
    double sum = 0;
    for (size_t h = 0; h < hands.size(); ++h) {
        hands[h].weight *= std::exp(settings.tempering * (likelihoods[h] - best));
        sum += hands[h].weight;
    }
    for (WeighedHand& hand : hands) hand.weight /= sum;
}

}  // namespace mingpai::mcm
