#include "native/holdem/sampler.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>

namespace mingpai::holdem {

namespace {

// Below this share of a range, rounding matters: the range is scanned for the exact share.
constexpr double kScanShare = 1.0 / 32;
// Draws that do not fit before the range is scanned for those that do.
constexpr int kTriesBeforeScan = 64;
// Draws of a redraw that are looked at together.
constexpr int kDrawnAtOnce = 4;

constexpr std::array<uint64_t, kCombos> make_combo_codes() {
    std::array<uint64_t, kCombos> codes{};
    for (int i = 0; i < kCombos; ++i) codes[i] = code_of(kComboCards[i].low) + code_of(kComboCards[i].high);
    return codes;
}

constexpr std::array<CardSet, kCombos> make_combo_sets() {
    std::array<CardSet, kCombos> sets{};
    for (int i = 0; i < kCombos; ++i) sets[i] = bit_of(kComboCards[i].low) | bit_of(kComboCards[i].high);
    return sets;
}

constexpr std::array<uint64_t, kCombos> kComboCodes = make_combo_codes();
constexpr std::array<CardSet, kCombos> kComboSets = make_combo_sets();

}  // namespace

void RangeTable::fill(const float* weights, CardSet blocked) {
    combos_.resize(kCombos);
    probabilities_.resize(kCombos);
    int count = 0;
    double total = 0;
    for (int combo = 0; combo < kCombos; ++combo) {
        combos_[count] = static_cast<uint16_t>(combo);
        probabilities_[count] = weights[combo];
        const bool keep = weights[combo] > 0 && !(kComboSets[combo] & blocked);
        total += keep ? weights[combo] : 0;
        count += keep;
    }
    combos_.resize(count);
    probabilities_.resize(count);
    const float scale = static_cast<float>(1 / total);
    for (float& probability : probabilities_) probability *= scale;
}

void RangeTable::prepare() {
    const int count = size();
    // 1. Alias slots: every poor combination is topped up by a rich one, which may become poor itself.
    slots_.resize(count);
    std::array<double, kCombos> scaled;
    std::array<uint16_t, kCombos> poor_list, rich_list;
    int poor_count = 0, rich_count = 0;
    for (int i = 0; i < count; ++i) {
        scaled[i] = static_cast<double>(probabilities_[i]) * count;
        slots_[i] = {0xFFFFFFFFu, {combos_[i], combos_[i]}};
        poor_list[poor_count] = rich_list[rich_count] = static_cast<uint16_t>(i);
        const bool is_poor = scaled[i] < 1;
        poor_count += is_poor;
        rich_count += !is_poor;
    }
    for (int next_poor = 0, next_rich = 0; next_poor < poor_count && next_rich < rich_count;) {
        int poor = poor_list[next_poor++];
        while (next_rich < rich_count) {
            const int rich = rich_list[next_rich];
            slots_[poor].threshold = static_cast<uint32_t>(scaled[poor] * 0x1.0p32);
            slots_[poor].combos[1] = combos_[rich];
            scaled[rich] -= 1 - scaled[poor];
            if (scaled[rich] >= 1) break;
            poor = rich;
            ++next_rich;
        }
    }
    // 2. Probabilities by pair and by card.
    pairs_.fill(0);
    singles_.fill(0);
    for (int i = 0; i < count; ++i) {
        const Combo cards = kComboCards[combos_[i]];
        pairs_[cards.low * kCards + cards.high] = pairs_[cards.high * kCards + cards.low] = probabilities_[i];
        singles_[cards.low] += probabilities_[i];
        singles_[cards.high] += probabilities_[i];
    }
}

double RangeTable::share_left(const Card* cards, int count) const {
    // Cards come in pairs; four sums side by side, as one would wait for each addition.
    std::array<float, 4> twice{};
    float hit = 0;
    for (int i = 0; i < count; i += 2) {
        const float* row = &pairs_[cards[i] * kCards];
        const float* other_row = &pairs_[cards[i + 1] * kCards];
        hit += singles_[cards[i]] + singles_[cards[i + 1]] - row[cards[i + 1]];
        for (int j = 0; j < i; j += 2) {
            twice[0] += row[cards[j]];
            twice[1] += row[cards[j + 1]];
            twice[2] += other_row[cards[j]];
            twice[3] += other_row[cards[j + 1]];
        }
    }
    return 1.0 - hit + (twice[0] + twice[1]) + (twice[2] + twice[3]);
}

double RangeTable::exact_share_left(CardSet blocked) const {
    double share = 0;
    for (int i = 0; i < size(); ++i) share += kComboSets[combos_[i]] & blocked ? 0.0 : probabilities_[i];
    return share;
}

int RangeTable::draw_avoiding(CardSet blocked, core::Rng& rng) const {
    double left = rng.uniform() * exact_share_left(blocked);
    int last = -1;
    for (int i = 0; i < size(); ++i) {
        if (kComboSets[combos_[i]] & blocked) continue;
        last = combos_[i];
        left -= probabilities_[i];
        if (left < 0) break;
    }
    return last;
}

void Hands::put(int player, int combo) {
    assert(player >= 0 && player < kMaxPlayers && combo >= 0 && combo < kCombos);
    combos[player] = static_cast<uint16_t>(combo);
    codes[player] = kComboCodes[combo];
    sets[player] = kComboSets[combo];
}

DealSampler::DealSampler(int players, const float* weights, CardSet board, CardSet dead)
    : players_(players), board_(board), board_missing_(kBoardCards - core::popcount(board)), board_code_(kEmptyHand) {
    for (CardSet left = board; left; left &= left - 1) board_code_ += kCardCodes[core::lowest(left)];

    // 1. Known hands block the other ranges, which may leave other players a single hand: repeat until nothing changes.
    const CardSet seen = board | dead;
    std::array<bool, kMaxPlayers> is_known{};
    std::array<CardSet, kMaxPlayers> blocked_by{};
    blocked_by.fill(~CardSet{0});
    for (bool changed = true; changed;) {
        changed = false;
        for (int p = 0; p < players_; ++p) {
            if (is_known[p] || blocked_by[p] == (seen | known_)) continue;
            blocked_by[p] = seen | known_;
            ranges_[p].fill(weights + static_cast<size_t>(p) * kCombos, blocked_by[p]);
            if (ranges_[p].is_empty()) {
                throw std::invalid_argument("player " + std::to_string(p) + " has no combination left by the known cards");
            }
            if (!ranges_[p].is_known()) continue;
            is_known[p] = changed = true;
            known_hands_.put(p, ranges_[p].combo(0));
            known_ |= known_hands_.sets[p];
        }
    }
    known_hands_.used = known_;

    // 2. The others, narrowest first, so that the wide ranges absorb what is taken.
    for (int p = 0; p < players_; ++p) {
        if (is_known[p]) continue;
        order_.push_back(p);
        ranges_[p].prepare();
    }
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) { return ranges_[a].size() < ranges_[b].size(); });

    // 3. The cards a board can take.
    live_ = kDeck & ~(seen | known_);
    if (core::popcount(live_) < board_missing_ + 2 * static_cast<int>(order_.size())) {
        throw std::invalid_argument("not enough cards are left for the hands and the board");
    }
}

double DealSampler::draw(Hands& hands, core::Rng& rng) const {
    // 1. A first candidate for everybody: draws that do not wait for each other.
    std::array<int, kMaxPlayers> candidates;
    const int count = static_cast<int>(order_.size());
    for (int i = 0; i < count; ++i) candidates[i] = ranges_[order_[i]].draw(rng);
    // 2. One after another, drawn again until it fits.
    hands = known_hands_;
    for (int i = 0; i < count; ++i) {
        const int combo = fit(ranges_[order_[i]], candidates[i], hands.used, rng);
        if (combo < 0) return 0;
        hands.put(order_[i], combo);
        hands.used |= kComboSets[combo];
    }
    return weight_of(hands);
}

int DealSampler::fit(const RangeTable& range, int combo, CardSet used, core::Rng& rng) {
    for (int tries = 1; combo >= 0 && (kComboSets[combo] & used); ++tries) {
        combo = tries < kTriesBeforeScan ? range.draw(rng) : range.draw_avoiding(used, rng);
    }
    return combo;
}

double DealSampler::weight_of(const Hands& hands) const {
    double weight = 1;
    std::array<Card, 2 * kMaxPlayers> taken;
    CardSet used = known_;
    int count = 0;
    for (int p : order_) {
        double share = count ? ranges_[p].share_left(taken.data(), count) : 1.0;
        if (share < kScanShare) share = ranges_[p].exact_share_left(used);
        weight *= share;
        const Combo cards = kComboCards[hands.combos[p]];
        used |= cards.set();
        taken[count++] = cards.low;
        taken[count++] = cards.high;
    }
    return weight;
}

bool DealSampler::draw_by_rejection(Hands& hands, core::Rng& rng, int tries) const {
    for (; tries > 0; --tries) {
        hands = known_hands_;
        bool is_clear = true;
        for (size_t i = 0; i < order_.size() && is_clear; ++i) {
            const int combo = ranges_[order_[i]].draw(rng);
            is_clear = !(kComboSets[combo] & hands.used);
            hands.put(order_[i], combo);
            hands.used |= kComboSets[combo];
        }
        if (is_clear) return true;
    }
    return false;
}

void DealSampler::redraw(Hands& hands, int player, core::Rng& rng) const {
    const CardSet others = hands.used & ~hands.sets[player];
    const RangeTable& range = ranges_[player];
    // The first of four that fits, without a branch for each: about half of them do, so a guess would often be wrong.
    std::array<int, kDrawnAtOnce> drawn;
    unsigned fits = 0;
    for (int i = 0; i < kDrawnAtOnce; ++i) {
        drawn[i] = range.draw(rng);
        fits |= static_cast<unsigned>(!(kComboSets[drawn[i]] & others)) << i;
    }
    const int combo = fits ? drawn[core::lowest(fits)] : fit(range, range.draw(rng), others, rng);
    hands.put(player, combo);
    hands.used = others | kComboSets[combo];
}

}  // namespace mingpai::holdem
