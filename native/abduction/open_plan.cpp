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

// What groups cost against two hands.
Costs costs_against(const OpenGroups& one, const OpenGroups& other, int level) {
    Costs out;
    const float stays = one.bombs + other.bombs ? 1 - kBombed : 1;
    // `places`: ranks of a type from the highest strength down.
    const auto fill = [&](Type type, float* to, int ranks, float regain) {
        std::array<int, kPlayRanks> places;
        for (int i = 0; i < ranks; ++i) places[static_cast<size_t>(i)] = i;
        std::sort(places.begin(), places.begin() + ranks, [&](int a, int b) { return strength(type, a, level) > strength(type, b, level); });
        int above = 0;
        for (int i = 0; i < ranks; ++i) {
            const int rank = places[static_cast<size_t>(i)];
            to[rank] = 1 - std::exp(-kDecay * static_cast<float>(above)) * stays * (1 + regain);
            const auto place = static_cast<size_t>(block_of(type) + rank);
            above += one.count[place] + other.count[place];
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

int plays_for(const Cards& cards, int level) {
    return cards.empty() ? 0 : static_cast<int>(std::lround(Planner(kUnits, level, kNodes).cost(cards)));
}
float cost_of(const Costs& costs, const Round& round, int seat) {
    const Cards& hand = round.status().hands[seat];
    return hand.empty() ? 0 : Planner(costs, round.level(), kNodes).cost(hand);
}

}  // namespace

OpenGroups::OpenGroups(const Cards& hand, int level) {
    if (hand.empty()) return;
    Holding(hand, level).lead_mask().each([&](int index) {
        if (index < block_of(Type::Bomb)) ++count[static_cast<size_t>(index)];
        else ++bombs;
    });
}

OpenPlans::OpenPlans(const Round& round) {
    for (int seat = 0; seat < kSeats; ++seat) {
        const Cards& hand = round.status().hands[seat];
        groups_[static_cast<size_t>(seat)] = OpenGroups(hand, round.level());
        turns_[static_cast<size_t>(seat)] = plays_for(hand, round.level());
    }
    for (int team : {0, 1}) {
        find_costs(team, round);
        for (int seat : {team, partner_of(team)}) cost_[static_cast<size_t>(seat)] = cost_of(costs_[static_cast<size_t>(team)], round, seat);
    }
}

OpenPlans::OpenPlans(const OpenPlans& before, const Round& after, int mover) : OpenPlans(before) {
    const Cards& hand = after.status().hands[mover];
    const int mine = team_of(mover), theirs = 1 - mine;
    groups_[static_cast<size_t>(mover)] = OpenGroups(hand, after.level());
    turns_[static_cast<size_t>(mover)] = plays_for(hand, after.level());
    cost_[static_cast<size_t>(mover)] = cost_of(costs_[static_cast<size_t>(mine)], after, mover);
    find_costs(theirs, after);
    for (int seat : {theirs, partner_of(theirs)}) cost_[static_cast<size_t>(seat)] = cost_of(costs_[static_cast<size_t>(theirs)], after, seat);
}

void OpenPlans::find_costs(int team, const Round& round) {
    const int rival = 1 - team;
    costs_[static_cast<size_t>(team)] =
        costs_against(groups_[static_cast<size_t>(rival)], groups_[static_cast<size_t>(partner_of(rival))], round.level());
}

}  // namespace mingpai::abduction
