#include "native/handsplit/inference.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mingpai::handsplit {

using doudizhu::card_count;
using doudizhu::cards_of;
using doudizhu::count_of;
using doudizhu::kRanks;

namespace {

// Particles between two looks at the clock.
constexpr int kBatch = 16;

std::array<Hand, kRoles> starting_hands(const Situation& situation, Hand first_hand) {
    std::array<Hand, kRoles> start{};
    const World world = situation.world_with(first_hand);
    for (int role = 0; role < kRoles; ++role) start[role] = world.hands[role] + situation.played(role);
    return start;
}

bool is_same(const Observed& a, const Observed& b) { return a.role == b.role && a.move == b.move; }

}  // namespace

double log_likelihood(const Situation& situation, const std::array<Hand, kRoles>& start, size_t from, double known,
                      const PlayerModel& model, Policy& policy) {
    double sum = known;  // added to move by move: the same rounding whether likelihoods were kept or not
    const auto& moves = situation.moves();
    for (size_t i = from; i < moves.size(); ++i) {
        const int role = moves[i].role;
        if (role == situation.role()) continue;
        World world = situation.before(i);
        world.hands[role] = start[role] - situation.played_before(i, role);
        const float chosen = policy.probability(world, moves[i].move, model.temperature);
        sum += std::log(static_cast<double>(model.noise + (1 - model.noise) * chosen));
    }
    return sum;
}

Particles::Particles(uint64_t seed, int count, const PlayerModel& model, bool uniform)
    : seed_(seed), model_(model), uniform_(uniform), slots_(static_cast<size_t>(count)) {}

bool Particles::continues(const Situation& situation) const {
    const auto& moves = situation.moves();
    return role_ == situation.role() && hidden_ == situation.hidden_at_start() && moves_.size() <= moves.size() &&
           std::equal(moves_.begin(), moves_.end(), moves.begin(), is_same);
}

void Particles::prepare(const Situation& situation) {
    role_ = situation.role();
    hidden_ = situation.hidden_at_start();
    instance_count_ = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
        for (int copy = 0; copy < count_of(hidden_, rank); ++copy) {
            instance_rank_[static_cast<size_t>(instance_count_++)] = static_cast<uint8_t>(rank);
        }
    }
    for (size_t i = 0; i < slots_.size(); ++i) {
        Slot& slot = slots_[i];
        core::Rng rng(core::stream_seed(seed_, i));
        for (int k = 0; k < instance_count_; ++k) slot.order[static_cast<size_t>(k)] = static_cast<uint8_t>(k);
        rng.shuffle(slot.order.data(), static_cast<uint32_t>(instance_count_));
        slot.is_known = false;
    }
}

Hand Particles::first_hand_of(const Slot& slot, const Situation& situation, uint64_t gone) const {
    Hand hand = situation.first() == kLandlord ? situation.known_of_landlord() : 0;
    int needed = situation.now().counts[situation.first()] - card_count(hand);
    for (int k = 0; k < instance_count_ && needed > 0; ++k) {
        const int instance = slot.order[static_cast<size_t>(k)];
        if (gone >> instance & 1) continue;
        hand += cards_of(instance_rank_[static_cast<size_t>(instance)]);
        --needed;
    }
    assert(needed == 0);
    return hand;
}

Worlds Particles::update(const Situation& situation, Policy& policy, core::Budget& budget) {
    if (!continues(situation)) prepare(situation);
    moves_ = situation.moves();
    kept_ = 0;
    std::vector<Hand> hands;
    std::vector<double> log_weights;

    // 1. Of each rank, the instances with the lowest indices are the ones played: which they are must not depend on a particle.
    const Hand still_hidden = situation.unseen() - situation.known_of_landlord();
    uint64_t gone = 0;
    for (int instance = 0, rank = -1, left = 0; instance < instance_count_; ++instance) {
        if (instance_rank_[static_cast<size_t>(instance)] != rank) {
            rank = instance_rank_[static_cast<size_t>(instance)];
            left = count_of(hidden_, rank) - count_of(still_hidden, rank);
        }
        if (left-- > 0) gone |= uint64_t{1} << instance;
    }

    // 2. The hands of each particle, and the likelihood of what is new; all of it where the hands had to change.
    for (size_t i = 0; i < slots_.size(); ++i) {
        if (i % kBatch == 0 && i > 0 && budget.spend(0)) break;
        Slot& slot = slots_[i];
        const Hand first = first_hand_of(slot, situation, gone);
        if (!uniform_) {
            const auto start = starting_hands(situation, first);
            const Hand first_start = start[situation.first()], second_start = start[situation.second()];
            const bool keeps = slot.is_known && slot.first_start == first_start && slot.second_start == second_start;
            if (!keeps) slot = {slot.order, first_start, second_start, 0, 0, true};
            kept_ += keeps && slot.moves > 0;
            slot.log_likelihood = log_likelihood(situation, start, slot.moves, slot.log_likelihood, model_, policy);
            slot.moves = moves_.size();
        }
        hands.push_back(first);
        log_weights.push_back(uniform_ ? 0 : model_.tempering * slot.log_likelihood);
    }
    return Worlds(std::move(hands), std::move(log_weights), model_, uniform_);
}

Worlds::Worlds(std::vector<Hand> hands, std::vector<double> log_weights, const PlayerModel& model, bool uniform)
    : hands_(std::move(hands)), weights_(std::move(log_weights)), model_(model), uniform_(uniform) {
    assert(!hands_.empty() && hands_.size() == weights_.size());
    const double best = *std::max_element(weights_.begin(), weights_.end());
    double sum = 0;
    for (double& weight : weights_) sum += weight = std::exp(weight - best);
    log_mean_ = best + std::log(sum / static_cast<double>(weights_.size()));
    double total = 0;
    for (double& weight : weights_) {
        weight /= sum;
        cumulative_.push_back(total += weight);
    }
}

int Worlds::draw(core::Rng& rng) const {
    const double at = rng.uniform() * cumulative_.back();
    const auto place = std::upper_bound(cumulative_.begin(), cumulative_.end(), at);
    return static_cast<int>(std::min<ptrdiff_t>(place - cumulative_.begin(), static_cast<ptrdiff_t>(hands_.size()) - 1));
}

double Worlds::effective_size() const {
    double squares = 0;
    for (const double weight : weights_) squares += weight * weight;
    return squares > 0 ? 1 / squares : 0;
}

std::array<double, kRanks> Worlds::expected_first() const {
    std::array<double, kRanks> expected{};
    for (size_t i = 0; i < hands_.size(); ++i) {
        for (int rank = 0; rank < kRanks; ++rank) expected[static_cast<size_t>(rank)] += weights_[i] * count_of(hands_[i], rank);
    }
    return expected;
}

double Worlds::log_ratio(const Situation& situation, Hand first_hand, Policy& policy) const {
    if (uniform_) return 0;
    const double own = log_likelihood(situation, starting_hands(situation, first_hand), 0, 0, model_, policy);
    return model_.tempering * own - log_mean_;
}

}  // namespace mingpai::handsplit
