#include "native/abduction/open_plan.hpp"

#include <algorithm>
#include <cmath>

namespace mingpai::abduction {

using namespace guandan;

namespace {

constexpr int kNodes = 40;          // ways of taking sequences out that a plan tries
constexpr float kDecay = 0.6f;      // how readily opponents use a higher group
constexpr float kBombed = 0.1f;     // chance that an opponent with a bomb uses it
constexpr float kBomb = -1.1f, kLonger = -0.1f, kFlush = -1.25f, kJokers = -1.6f;

// Of one team: how many groups of each pseudo-action below the bombs its seats can play, and whether they have bombs.
struct Groups {
    std::array<uint8_t, block_of(Type::Bomb)> count{};
    bool bombs = false;

    // The number of bombs in the hand.
    int add(const Cards& hand, int level) {
        int found = 0;
        if (hand.empty()) return found;
        Holding(hand, level).lead_mask().each([&](int index) {
            if (index < block_of(Type::Bomb)) ++count[static_cast<size_t>(index)];
            else ++found;
        });
        bombs |= found > 0;
        return found;
    }
};

// Every play costs one.
constexpr Costs unit_costs() {
    Costs out{};
    for (float& cost : out.single) cost = 1;
    for (float& cost : out.pair) cost = 1;
    for (float& cost : out.triple) cost = 1;
    for (float& cost : out.full_house) cost = 1;
    for (float& cost : out.plate) cost = 1;
    for (float& cost : out.tube) cost = 1;
    for (float& cost : out.straight) cost = 1;
    for (float& cost : out.bomb) cost = 1;
    out.straight_flush = out.joker_bomb = 1;
    return out;
}
constexpr Costs kUnits = unit_costs();

Costs costs_against(const Groups& theirs, int level) {
    Costs out;
    const float stays = theirs.bombs ? 1 - kBombed : 1;
    // `places`: ranks of a type from the highest strength down.
    const auto fill = [&](Type type, float* to, int ranks, float regain) {
        std::array<int, kPlayRanks> places;
        for (int i = 0; i < ranks; ++i) places[static_cast<size_t>(i)] = i;
        std::sort(places.begin(), places.begin() + ranks, [&](int a, int b) { return strength(type, a, level) > strength(type, b, level); });
        int above = 0;
        for (int i = 0; i < ranks; ++i) {
            const int rank = places[static_cast<size_t>(i)];
            to[rank] = 1 - std::exp(-kDecay * static_cast<float>(above)) * stays * (1 + regain);
            above += theirs.count[static_cast<size_t>(block_of(type) + rank)];
        }
    };
    fill(Type::Single, out.single, kPlayRanks, 0.8f);
    fill(Type::Pair, out.pair, kPlayRanks, 0.7f);
    fill(Type::Triple, out.triple, kRanks, 0.5f);
    fill(Type::FullHouse, out.full_house, kRanks, 0.4f);
    fill(Type::Plate, out.plate, kPlateStarts, 0.1f);
    fill(Type::Tube, out.tube, kTubeStarts, 0.2f);
    fill(Type::Straight, out.straight, kRunStarts, 0.3f);
    for (int size = 0; size <= kMaxBomb; ++size) out.bomb[size] = kBomb + kLonger * static_cast<float>(std::max(0, size - kMinBomb));
    out.straight_flush = kFlush;
    out.joker_bomb = kJokers;
    return out;
}

}  // namespace

OpenPlans::OpenPlans(const Round& round) : level_(round.level()) {
    std::array<Groups, 2> groups;
    for (int seat = 0; seat < kSeats; ++seat) {
        bombs_[static_cast<size_t>(seat)] = groups[static_cast<size_t>(team_of(seat))].add(round.table().hands[seat], level_);
    }
    for (int team : {0, 1}) costs_[static_cast<size_t>(team)] = costs_against(groups[static_cast<size_t>(1 - team)], level_);
}

int OpenPlans::turns(const Cards& cards) const {
    return cards.empty() ? 0 : static_cast<int>(std::lround(Planner(kUnits, level_, kNodes).cost(cards)));
}

float OpenPlans::cost(int seat, const Cards& cards) const {
    if (cards.empty()) return 0;
    return Planner(costs_[static_cast<size_t>(team_of(seat))], level_, kNodes).cost(cards);
}

}  // namespace mingpai::abduction
