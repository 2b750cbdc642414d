#include "native/holdem/betting.hpp"

#include <algorithm>
#include <cassert>

namespace mingpai::holdem {

uint16_t Betting::able(int seats) const {
    uint16_t able = 0;
    for (int seat = 0; seat < seats; ++seat) {
        if (is_live(seat) && stacks[seat] > 0) able = static_cast<uint16_t>(able | seat_bit(seat));
    }
    return able;
}

Chips Betting::cost() const {
    assert(!is_over());
    return std::clamp(current_bet - bets[to_act], Chips{0}, stacks[to_act]);
}

Chips Betting::pot() const {
    Chips sum = 0;
    for (Chips amount : paid) sum += amount;
    return sum;
}

void Betting::put(int seat, Chips amount) {
    assert(amount >= 0 && amount <= stacks[seat]);
    stacks[seat] -= amount;
    paid[seat] += amount;
    bets[seat] += amount;
}

void Betting::post(int seat, Chips amount, bool is_ante) {
    put(seat, std::min(amount, stacks[seat]));
    if (is_ante) bets[seat] = 0;
}

// Section 3: antes, then blinds; the first to act is the seat after the last blind.
Blinds Betting::begin(const TableSetup& setup, const TableRules& rules) {
    assert(dealt == 0 && setup.seats >= 2 && setup.seats <= kMaxSeats);
    for (int seat = 0; seat < setup.seats; ++seat) {
        stacks[seat] = setup.stacks[seat];
        if (stacks[seat] > 0) dealt = static_cast<uint16_t>(dealt | seat_bit(seat));
    }
    live = dealt;
    for (int seat = 0; seat < setup.seats; ++seat) {
        if (is_live(seat)) post(seat, setup.ante, true);
    }
    const bool is_heads_up = std::popcount(dealt) == 2;
    const int after_button = next_seat(setup.button, dealt, setup.seats);
    Blinds blinds;
    int first;
    if (is_heads_up && rules.small_blind_only_heads_up) {
        blinds.small = static_cast<int8_t>(after_button);
        post(blinds.small, setup.small_blind, false);
        current_bet = setup.small_blind;
        first = setup.button;
    } else {
        blinds.small = static_cast<int8_t>(is_heads_up ? setup.button : after_button);
        blinds.big = static_cast<int8_t>(next_seat(blinds.small, dealt, setup.seats));
        post(blinds.small, setup.small_blind, false);
        post(blinds.big, setup.big_blind, false);
        current_bet = setup.big_blind;
        first = next_seat(blinds.big, dealt, setup.seats);
    }
    if (rules.posted_blind_counts) current_bet = *std::max_element(bets.begin(), bets.end());
    open_street(setup, rules);
    if (!pending) end_street(setup, rules);
    else to_act = static_cast<int8_t>(pending & seat_bit(first) ? first : next_seat(first, pending, setup.seats));
    return blinds;
}

void Betting::open_street(const TableSetup& setup, const TableRules& rules) {
    acted = pending = 0;
    raise_size = setup.big_blind;
    reopen_size = rules.short_opening_reopens ? 0 : setup.big_blind;
    least_to = current_bet + setup.big_blind;
    // Nobody can lose more than the second richest live seat can match (6.3).
    std::array<Chips, 2> reach{-1, -1};
    for (int seat = 0; seat < setup.seats; ++seat) {
        if (!is_live(seat)) continue;
        const Chips own = bets[seat] + stacks[seat];
        if (own > reach[0]) reach = {own, reach[0]};
        else if (own > reach[1]) reach[1] = own;
    }
    for (int seat = 0; seat < setup.seats; ++seat) {
        const bool has_chips = is_live(seat) && stacks[seat] > 0 && reach[1] > bets[seat];
        if (has_chips) pending = static_cast<uint16_t>(pending | seat_bit(seat));
    }
    // A lone seat that owes nothing has nobody to bet against.
    const Chips highest = *std::max_element(bets.begin(), bets.end());
    if (std::popcount(pending) == 1 && bets[std::countr_zero(pending)] >= highest) pending = 0;
}

void Betting::end_street(const TableSetup& setup, const TableRules& rules) {
    assert(live != 0);
    pending = 0;
    to_act = -1;
    while (!pending && std::popcount(live) > 1 && street < Street::kRiver) {
        street = static_cast<Street>(static_cast<int>(street) + 1);
        bets.fill(0);
        current_bet = 0;
        open_street(setup, rules);
        if (pending) to_act = static_cast<int8_t>(next_seat(setup.button, pending, setup.seats));
    }
}

Legal Betting::legal(const TableSetup& setup, const TableRules& rules) const {
    Legal legal;
    const int seat = to_act;
    if (seat < 0) return legal;
    const Chips stack = stacks[seat], bet = bets[seat];
    const Chips facing = std::max<Chips>(0, current_bet - bet);
    legal.fold = facing > 0 || rules.may_fold_unbet;
    legal.check = facing == 0;
    legal.call = facing > 0;
    legal.call_cost = std::min(stack, facing);
    const bool is_closed = !rules.is_always_open && (acted & seat_bit(seat)) && facing < reopen_size;
    bool has_opponent = false;
    for (int other = 0; other < setup.seats; ++other) {
        has_opponent |= other != seat && is_live(other) && stacks[other] + bets[other] > current_bet;
    }
    if (is_closed || stack <= facing || !has_opponent) return legal;
    legal.raise = true;
    legal.max_to = bet + stack;
    legal.min_to = std::min(legal.max_to, rules.is_always_open ? least_to : current_bet + raise_size);
    return legal;
}

void Betting::act(const TableSetup& setup, const TableRules& rules, const Action& action) {
    assert(!is_over() && (pending & seat_bit(to_act)) && !(pending & ~live));
    const int seat = to_act;
    pending = static_cast<uint16_t>(pending & ~seat_bit(seat));
    acted = static_cast<uint16_t>(acted | seat_bit(seat));
    if (action.kind == ActionKind::kFold) {
        live = static_cast<uint16_t>(live & ~seat_bit(seat));
    } else if (action.kind == ActionKind::kCall) {
        put(seat, cost());
    } else if (action.kind == ActionKind::kRaise) {
        assert(action.to > current_bet);
        const Chips size = action.to - current_bet;
        put(seat, action.to - bets[seat]);
        current_bet = action.to;
        raise_size = std::max(raise_size, size);
        least_to = std::max(least_to, action.to + size);
        reopen_size = std::max(reopen_size, size);
        pending = static_cast<uint16_t>(able(setup.seats) & ~seat_bit(seat));
    }
    if (!pending || std::popcount(live) == 1) end_street(setup, rules);
    else to_act = static_cast<int8_t>(next_seat(seat, pending, setup.seats));
}

}  // namespace mingpai::holdem
