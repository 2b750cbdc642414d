#include "native/handreading/styles.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "native/handreading/strength.hpp"
#include "native/holdem/evaluator.hpp"

namespace mingpai::handreading {

using namespace holdem;

namespace {

constexpr int kFullTableOthers = 7;
constexpr int kTableBoards = 6000;  // boards behind the order of starting hands
constexpr double kFreePriceBlinds = 3.0;  // a price up to this many big blinds does not narrow the calling range
constexpr double kCommitted = 0.6;        // a raise of this share of the stack goes all-in

struct Spot {
    const Table& table;
    int seat;
    Legal legal;
    CardSet hand, board;
    int others;        // live players besides the seat
    int raises;        // on this street
    bool led_preflop;  // the seat made the last raise before the flop
    double pot, cost, price;

    explicit Spot(const Table& t) : table(t), seat(t.status().to_act), legal(t.legal()) {
        const Table::Status& status = t.status();
        hand = bit_of(t.holes()[seat][0]) | bit_of(t.holes()[seat][1]);
        board = 0;
        for (int i = 0; i < status.board_count; ++i) board |= bit_of(t.board()[i]);
        others = core::popcount(status.live) - 1;
        pot = static_cast<double>(t.pot());
        cost = static_cast<double>(legal.call_cost);
        price = cost / (pot + cost);
        count_raises();
    }

    double big_blinds(double chips) const { return chips / static_cast<double>(std::max<Chips>(1, table.setup().big_blind)); }

  private:
    void count_raises() {
        raises = 0;
        int preflop_leader = -1;
        for (size_t i = 0; i < table.actions().size(); ++i) {
            if (table.actions()[i].kind != ActionKind::kRaise) continue;
            if (table.street_of(i) == Street::kPreflop) preflop_leader = table.actor(i);
            raises += table.street_of(i) == table.status().street;
        }
        led_preflop = preflop_leader == seat;
    }
};

// Share of the pot against `others` uniform hands, by sampling.
double equity_of(const Spot& spot, int samples, core::Rng& rng) {
    const Evaluator& evaluator = Evaluator::get();
    std::array<Card, kCards> deck;
    int left = 0;
    for (int card = 0; card < kCards; ++card) {
        if (!((spot.hand | spot.board) >> card & 1)) deck[left++] = static_cast<Card>(card);
    }
    uint64_t board_code = kEmptyHand, own_code = 0;
    for (CardSet set = spot.board; set; set &= set - 1) board_code += kCardCodes[core::lowest(set)];
    for (CardSet set = spot.hand; set; set &= set - 1) own_code += kCardCodes[core::lowest(set)];
    const int missing = kBoardCards - core::popcount(spot.board);
    const int drawn = missing + 2 * spot.others;
    double won = 0;
    for (int sample = 0; sample < samples; ++sample) {
        for (int i = 0; i < drawn; ++i) std::swap(deck[i], deck[i + rng.below(static_cast<uint32_t>(left - i))]);
        CardSet board = spot.board;
        uint64_t code = board_code;
        for (int i = 0; i < missing; ++i) {
            board |= bit_of(deck[i]);
            code += kCardCodes[deck[i]];
        }
        const HandRank own = evaluator.rank<7>(code + own_code, board | spot.hand);
        int level = 1;
        for (int i = missing; i < drawn && level; i += 2) {
            const CardSet set = bit_of(deck[i]) | bit_of(deck[i + 1]);
            const HandRank other = evaluator.rank<7>(code + kCardCodes[deck[i]] + kCardCodes[deck[i + 1]], board | set);
            level = other > own ? 0 : level + (other == own);
        }
        if (level) won += 1.0 / level;
    }
    return won / samples;
}

// Where equity stands against `others` players, as in a two-player pot: 0.5 is a fair share.
double standing_of(double equity, int others) { return std::pow(equity, std::log(2.0) / std::log(others + 1.0)); }

Action check_or_fold(const Legal& legal) { return {legal.check ? ActionKind::kCheck : ActionKind::kFold, 0}; }
Action check_or_call(const Legal& legal) {
    if (legal.check) return {ActionKind::kCheck, 0};
    return {legal.call ? ActionKind::kCall : ActionKind::kFold, 0};
}

// A raise to about `to`, brought into bounds; all-in when most of the stack would be in. A call where no raise is allowed.
Action raise_to(const Spot& spot, double to) {
    if (!spot.legal.raise) return check_or_call(spot.legal);
    const double most = static_cast<double>(spot.legal.max_to);
    if (to >= kCommitted * most) to = most;
    const Chips unit = std::max<Chips>(1, spot.table.rules().unit);
    const Chips whole = static_cast<Chips>(std::llround(to)) / unit * unit;
    return {ActionKind::kRaise, to >= most ? spot.legal.max_to : std::clamp(whole, spot.legal.min_to, spot.legal.max_to)};
}

Action raise_by_pot(const Spot& spot, double share) {
    return raise_to(spot, static_cast<double>(spot.table.status().current_bet) + share * (spot.pot + spot.cost));
}

// 0 for the first to act after the blinds, 1 on the button; blinds count as early.
double lateness(const Spot& spot) {
    const int seats = spot.table.setup().seats;
    const int from_button = (spot.table.setup().button - spot.seat + seats) % seats;
    const int dealt = core::popcount(spot.table.status().dealt);
    if (spot.seat == spot.table.big_blind_seat() || (dealt > 2 && spot.seat == spot.table.small_blind_seat())) return 0;
    return from_button == 0 ? 1.0 : from_button == 1 ? 0.5 : 0.0;
}

Action before_flop(const Spot& spot, const Style& style, core::Rng& rng) {
    const Combo cards{static_cast<Card>(core::lowest(spot.hand)), static_cast<Card>(core::highest(spot.hand))};
    const double place = starting_places()[combo_of(cards.low, cards.high)];
    const double wider = 1 + style.late * lateness(spot);
    const auto among = [&](double share) { return place < widened(std::min(1.0, share * wider), spot.others); };
    if (spot.raises == 0) {
        if (among(style.open) && rng.uniform() >= style.slow) {
            return raise_to(spot, style.open_size * static_cast<double>(spot.table.setup().big_blind));
        }
        return among(style.limp) ? check_or_call(spot.legal) : check_or_fold(spot.legal);
    }
    const double cost = std::max(1.0, spot.big_blinds(spot.cost) / kFreePriceBlinds);
    const double narrower = std::pow(cost, -style.caution) / spot.raises;
    if (among(style.reraise * narrower * spot.raises) && rng.uniform() >= style.slow) return raise_by_pot(spot, 1.0);
    return among(style.call_raise * narrower) ? check_or_call(spot.legal) : check_or_fold(spot.legal);
}

Action after_flop(const Spot& spot, const Style& style, core::Rng& rng) {
    const double equity = equity_of(spot, style.samples, rng);
    const double luck = rng.uniform();
    if (spot.legal.check) {
        const bool follows = spot.led_preflop && spot.table.status().board_count == 3;
        const double bluff = style.bluff + (follows ? style.follow_up : 0.0);
        if (standing_of(equity, spot.others) >= style.bet) return luck < style.slow ? check_or_call(spot.legal) : raise_by_pot(spot, style.size);
        return luck < bluff ? raise_by_pot(spot, style.size) : check_or_call(spot.legal);
    }
    const double believed = std::max(0.0, equity - style.fear * spot.price * spot.raises);
    if (standing_of(believed, spot.others) >= style.raise && luck >= style.slow) return raise_by_pot(spot, style.size);
    if (believed >= spot.price + style.margin) return check_or_call(spot.legal);
    return luck < style.bluff_raise ? raise_by_pot(spot, style.size) : check_or_fold(spot.legal);
}

}  // namespace

const std::array<float, kCombos>& starting_places() {
    static const std::unique_ptr<std::array<float, kCombos>> places = [] {
        auto shares = std::make_unique<std::array<float, kCombos>>();
        const Strengths all = strengths(0, kTableBoards, 0);
        // Suits do not matter before the flop: average over a class first.
        std::array<double, kRanks * kRanks> sums{};
        std::array<int, kRanks * kRanks> counts{};
        const auto key = [](int combo) {
            const Combo cards = kComboCards[combo];
            const int high = rank_of(cards.high), low = rank_of(cards.low);
            return suit_of(cards.high) == suit_of(cards.low) ? low * kRanks + high : high * kRanks + low;
        };
        for (int combo = 0; combo < kCombos; ++combo) {
            sums[key(combo)] += all.equity[combo];
            ++counts[key(combo)];
        }
        for (int combo = 0; combo < kCombos; ++combo) {
            const double own = sums[key(combo)] / counts[key(combo)];
            int better = 0;
            for (int other = 0; other < kRanks * kRanks; ++other) {
                if (counts[other] && sums[other] / counts[other] > own) better += counts[other];
            }
            (*shares)[combo] = static_cast<float>(better) / kCombos;
        }
        return shares;
    }();
    return *places;
}

double widened(double share, int others) {
    return 1 - std::pow(1 - std::min(share, 1.0), static_cast<double>(kFullTableOthers) / std::max(others, 1));
}

Action style_action(const Table& table, const Style& style, core::Rng& rng) {
    const Spot spot(table);
    return spot.board ? after_flop(spot, style, rng) : before_flop(spot, style, rng);
}

}  // namespace mingpai::handreading
