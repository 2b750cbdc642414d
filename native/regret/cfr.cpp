#include "native/regret/cfr.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace mingpai::regret {

using namespace holdem;

namespace {

constexpr Chips kBigBlind = 100;
constexpr double kLeastBlinds = 6, kMostBlinds = 120;  // stacks, evenly spread by their logarithm
constexpr uint64_t kBatch = 256;                       // deals between two looks at the budget

CardSet open_board(const Table& table) {
    CardSet board = 0;
    for (int i = 0; i < table.status().board_count; ++i) board |= bit_of(table.board()[i]);
    return board;
}

CardSet hand_of(const Table& table, int seat) { return bit_of(table.holes()[seat][0]) | bit_of(table.holes()[seat][1]); }

int pick(const std::array<float, kChoices>& chances, core::Rng& rng) {
    assert(std::any_of(chances.begin(), chances.end(), [](float chance) { return chance > 0; }));
    float left = rng.uniformf() * std::accumulate(chances.begin(), chances.end(), 0.0F);
    int last = 0;
    for (int i = 0; i < kChoices; ++i) {
        if (chances[i] <= 0) continue;
        last = i;
        if ((left -= chances[i]) < 0) break;
    }
    return last;
}

}  // namespace

CfrTrainer::CfrTrainer(int seats, uint64_t seed, const SmallGame& game)
    : seats_(seats), game_(game), rng_(seed), regrets_(kRows), sums_(kRows) {
    if (seats < 2 || seats > kMaxSeats) throw std::invalid_argument("seats: 2 to 10");
}

Table CfrTrainer::deal() {
    std::array<Card, kCards> deck;
    std::iota(deck.begin(), deck.end(), Card{0});
    rng_.shuffle(deck.data(), kCards);
    TableSetup setup;
    setup.seats = seats_;
    setup.button = static_cast<int>(rng_.below(static_cast<uint32_t>(seats_)));
    setup.small_blind = kBigBlind / 2;
    setup.big_blind = kBigBlind;
    Holes holes;
    for (auto& hole : holes) hole = {kUnknownCard, kUnknownCard};
    for (int s = 0; s < seats_; ++s) {
        const double blinds = kLeastBlinds * std::pow(kMostBlinds / kLeastBlinds, rng_.uniform());
        setup.stacks[s] = static_cast<Chips>(blinds * static_cast<double>(kBigBlind));
        holes[s] = {deck[2 * s], deck[2 * s + 1]};
        classes_[s].fill(-1);
    }
    Board board;
    std::copy_n(deck.begin() + 2 * seats_, kBoardCards, board.begin());
    return Table(setup, TableRules{}, holes, board);
}

int CfrTrainer::row_of(const Table& table, const Scene& scene) {
    const int seat = table.status().to_act;
    int& known = classes_[seat][static_cast<int>(table.status().street)];
    if (known < 0) known = strength_class(hand_of(table, seat), open_board(table), game_);
    assert(known < kStrengths && scene.row + known * kStrengthStep < kRows);
    return scene.row + known * kStrengthStep;
}

CfrTrainer::Row CfrTrainer::chances(const Row& regrets, const Scene& scene) const {
    assert(scene.is_legal[static_cast<size_t>(Choice::kStay)]);
    Row strategy{};
    float sum = 0;
    for (int i = 0; i < kChoices; ++i) sum += strategy[i] = scene.is_legal[i] ? std::max(regrets[i], 0.0F) : 0.0F;
    const float even = 1.0F / static_cast<float>(std::count(scene.is_legal.begin(), scene.is_legal.end(), true));
    for (int i = 0; i < kChoices; ++i) strategy[i] = sum > 0 ? strategy[i] / sum : scene.is_legal[i] ? even : 0.0F;
    return strategy;
}

// What the seat wins from here on average, in big blinds: all its own choices, one of every other player's.
double CfrTrainer::walk(Table& table, int seat) {
    if (table.is_over()) return static_cast<double>(table.payoffs()[seat]) / static_cast<double>(kBigBlind);
    const Scene scene = scene_of(table, game_);
    const int row = row_of(table, scene);
    const Row now = chances(regrets_[row], scene);
    const float weight = static_cast<float>(dealt_ + 1) * 1e-6F;
    if (table.status().to_act != seat) {
        for (int i = 0; i < kChoices; ++i) sums_[row][i] += weight * now[i];
        table.act(scene.actions[pick(now, rng_)]);
        const double value = walk(table, seat);
        table.undo();
        return value;
    }
    std::array<double, kChoices> values{};
    double mean = 0;
    for (int i = 0; i < kChoices; ++i) {
        if (!scene.is_legal[i]) continue;
        table.act(scene.actions[i]);
        values[i] = walk(table, seat);
        table.undo();
        mean += now[i] * values[i];
    }
    for (int i = 0; i < kChoices; ++i) {
        if (scene.is_legal[i]) regrets_[row][i] += weight * static_cast<float>(values[i] - mean);
    }
    return mean;
}

uint64_t CfrTrainer::run(uint64_t deals, core::Budget& budget) {
    for (uint64_t i = 0; i < deals; ++i, ++dealt_) {
        if (i % kBatch == 0 && budget.spend(kBatch)) break;
        Table table = deal();
        for (int seat = 0; seat < seats_; ++seat) walk(table, seat);
    }
    return dealt_;
}

std::vector<uint8_t> CfrTrainer::strategy() const {
    std::vector<uint8_t> out(static_cast<size_t>(kRows) * kChoices);
    for (size_t row = 0; row < sums_.size(); ++row) {
        const float sum = std::accumulate(sums_[row].begin(), sums_[row].end(), 0.0F);
        if (sum <= 0) continue;
        for (size_t i = 0; i < kChoices; ++i) out[row * kChoices + i] = static_cast<uint8_t>(std::lround(255 * sums_[row][i] / sum));
    }
    return out;
}

Action strategy_action(const Table& table, const uint8_t* strategy, const SmallGame& game, core::Rng& rng) {
    const Scene scene = scene_of(table, game);
    const int seat = table.status().to_act;
    const int row = scene.row + strength_class(hand_of(table, seat), open_board(table), game) * kStrengthStep;
    std::array<float, kChoices> chances{};
    float sum = 0;
    for (int i = 0; i < kChoices; ++i) sum += chances[i] = scene.is_legal[i] ? strategy[static_cast<size_t>(row) * kChoices + i] : 0.0F;
    if (sum > 0) return scene.actions[pick(chances, rng)];
    return scene.actions[scene.is_legal[0] ? 0 : 1];
}

}  // namespace mingpai::regret
