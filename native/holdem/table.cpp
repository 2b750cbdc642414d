#include "native/holdem/table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <stdexcept>
#include <utility>

#include "native/holdem/evaluator.hpp"

namespace mingpai::holdem {

namespace {

// Board cards that lie open on a street.
int open_cards(Street street) {
    constexpr std::array<int, 5> kOpen = {0, 3, 4, 5, 5};
    return kOpen[static_cast<size_t>(street)];
}

void verify_setup(const TableSetup& setup, const TableRules& rules) {
    const auto fail = [](const char* why) { throw std::invalid_argument(why); };
    constexpr Chips kMostChips = Chips{1} << 52;
    if (setup.seats < 2 || setup.seats > kMaxSeats) fail("a table has 2 to 10 seats");
    if (setup.button < 0 || setup.button >= setup.seats) fail("the button must be at a seat");
    if (setup.big_blind <= 0) fail("the big blind must be positive");
    if (setup.small_blind < 0 || setup.ante < 0) fail("small blind and ante cannot be negative");
    if (setup.small_blind > setup.big_blind) fail("the small blind cannot exceed the big blind");
    if (rules.unit < 1) fail("the unit must be positive");
    for (Chips amount : {setup.small_blind, setup.big_blind, setup.ante}) {
        if (amount % rules.unit || amount > kMostChips) fail("blinds and ante are whole chips, not too many");
    }
    int dealt = 0;
    for (int seat = 0; seat < setup.seats; ++seat) {
        if (setup.stacks[seat] < 0 || setup.stacks[seat] > kMostChips) fail("a stack is negative or too large");
        dealt += setup.stacks[seat] > 0;
    }
    if (dealt < 2) fail("at least two seats need chips");
    if (setup.stacks[setup.button] == 0) fail("the button must be at a seat with chips");
}

}  // namespace

Table::Table(const TableSetup& setup, const TableRules& rules, const Holes& holes, const Board& board)
    : setup_(setup), rules_(rules), holes_(holes), board_(board) {
    verify_setup(setup, rules);
    CardSet seen = 0;
    const auto take = [&](Card card) {
        if (card == kUnknownCard) return;
        if (card >= kCards || (seen & bit_of(card))) throw std::invalid_argument("a card is dealt twice or is no card");
        seen |= bit_of(card);
    };
    for (int seat = 0; seat < kMaxSeats; ++seat) {
        if (seat >= setup.seats || setup.stacks[seat] == 0) holes_[seat] = {kUnknownCard, kUnknownCard};
        for (Card card : holes_[seat]) take(card);
    }
    for (Card card : board_) take(card);
    blinds_ = status_.begin(setup_, rules_);
    follow_betting();
}

void Table::follow_betting() {
    status_.board_count = static_cast<int8_t>(open_cards(status_.street));
    if (is_over()) finish();
    assert(is_consistent());
}

const char* Table::why_illegal(const Action& action) const {
    if (is_over()) return "finished";
    const Legal legal = this->legal();
    switch (action.kind) {
        case ActionKind::kFold: return legal.fold ? nullptr : "holdem.fold_unbet";
        case ActionKind::kCheck: return legal.check ? nullptr : "holdem.check_bet";
        case ActionKind::kCall: return legal.call ? nullptr : "holdem.call_unbet";
        case ActionKind::kRaise: break;
    }
    if (!legal.raise) return "holdem.raise_closed";
    if (action.to < legal.min_to) return "holdem.raise_small";
    if (action.to > legal.max_to) return "holdem.raise_large";
    if (action.to != legal.max_to && action.to % rules_.unit) return "holdem.raise_fraction";
    return nullptr;
}

void Table::act(const Action& action) {
    if (const char* why = why_illegal(action)) throw std::invalid_argument(why);
    history_.push_back(status_);
    actions_.push_back(action.kind == ActionKind::kRaise ? action : Action{action.kind, 0});
    actors_.push_back(status_.to_act);
    status_.act(setup_, rules_, action);
    follow_betting();
}

void Table::undo() {
    if (history_.empty()) throw std::out_of_range("nothing to take back");
    status_ = history_.back();
    history_.pop_back();
    actions_.pop_back();
    actors_.pop_back();
    final_pots_.clear();
    assert(is_consistent());
}

// Section 8: layers of equal contribution; what only one seat paid goes back to it; layers with the same seats are one pot.
std::vector<Pot> Table::pots() const {
    return status_.street == Street::kOver ? final_pots_ : pots_among(status_.live);
}

std::vector<Pot> Table::pots_among(uint16_t live) const {
    std::vector<Chips> levels;
    for (int seat = 0; seat < setup_.seats; ++seat) {
        if (status_.paid[seat] > 0) levels.push_back(status_.paid[seat]);
    }
    std::sort(levels.begin(), levels.end());
    levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
    std::vector<Pot> pots;
    Chips below = 0;
    for (Chips level : levels) {
        Pot pot;
        int payers = 0;
        for (int seat = 0; seat < setup_.seats; ++seat) {
            if (status_.paid[seat] < level) continue;
            ++payers;
            pot.amount += level - below;
            if (live & seat_bit(seat)) pot.seats |= 1u << seat;
        }
        below = level;
        if (payers == 1) break;
        if (!pots.empty() && (pots.back().seats == pot.seats || !pot.seats)) pots.back().amount += pot.amount;
        else pots.push_back(pot);
    }
    return pots;
}

void Table::finish() {
    assert(status_.live != 0 && status_.pending == 0);
    // 1. Uncalled chips return (8.2).
    std::array<Chips, 2> top{0, 0};
    int richest = -1;
    for (int seat = 0; seat < setup_.seats; ++seat) {
        if (status_.paid[seat] > top[0]) top = {status_.paid[seat], top[0]}, richest = seat;
        else top[1] = std::max(top[1], status_.paid[seat]);
    }
    std::array<Chips, kMaxSeats> won{};
    if (richest >= 0) won[richest] += top[0] - top[1];

    // 2. Hands are shown and ranked, unless all but one have folded.
    std::array<HandRank, kMaxSeats> ranks{};
    const bool is_showdown = std::popcount(status_.live) > 1;
    bool is_known = true;
    if (is_showdown) {
        status_.shown = status_.live;
        CardSet board = 0;
        for (Card card : board_) {
            if (card == kUnknownCard) is_known = false;
            else board |= bit_of(card);
        }
        for (int seat = 0; seat < setup_.seats && is_known; ++seat) {
            if (!is_live(seat)) continue;
            if (holes_[seat][0] == kUnknownCard || holes_[seat][1] == kUnknownCard) is_known = false;
            else ranks[seat] = Evaluator::get().rank_set(board | bit_of(holes_[seat][0]) | bit_of(holes_[seat][1]));
        }
    }

    // 3. Each pot to its best hands.
    const auto find_winners = [&](Pot& pot) {
        HandRank best = 0;
        for (int seat = 0; seat < setup_.seats; ++seat) {
            if (pot.seats >> seat & 1) best = std::max(best, ranks[seat]);
        }
        for (int seat = 0; seat < setup_.seats; ++seat) {
            if ((pot.seats >> seat & 1) && ranks[seat] == best) pot.winners |= 1u << seat;
        }
    };
    std::vector<Pot> pots = pots_among(status_.live);
    if (is_known) {
        for (Pot& pot : pots) find_winners(pot);
        if (rules_.split == Split::kFirst) {
            // 8.5: hands that win nothing are out before the pots are formed.
            uint16_t winners = 0;
            for (const Pot& pot : pots) winners |= static_cast<uint16_t>(pot.winners);
            pots = pots_among(winners);
            for (Pot& pot : pots) find_winners(pot);
        }
        for (const Pot& pot : pots) pay(pot, won);
    }
    for (int seat = 0; seat < setup_.seats; ++seat) status_.stacks[seat] += won[seat];
    final_pots_ = std::move(pots);
    status_.street = Street::kOver;
    status_.bets.fill(0);
}

// 8.5: equal shares, and the odd chips by the rules.
void Table::pay(const Pot& pot, std::array<Chips, kMaxSeats>& won) {
    assert(pot.winners != 0 && (pot.winners & ~pot.seats) == 0);
    const Chips count = std::popcount(pot.winners), share = pot.amount / count;
    Chips odd = pot.amount % count;
    int seat = setup_.button;
    for (Chips i = 0; i < count; ++i) {
        seat = next_seat(seat, static_cast<uint16_t>(pot.winners), setup_.seats);
        won[seat] += share;
        if (rules_.split == Split::kBySeat && odd > 0) --odd, ++won[seat];
        else if (rules_.split == Split::kFirst) won[seat] += std::exchange(odd, 0);
    }
    status_.discarded += odd;
}

std::array<Chips, kMaxSeats> Table::payoffs() const {
    std::array<Chips, kMaxSeats> payoffs{};
    for (int seat = 0; seat < setup_.seats; ++seat) payoffs[seat] = status_.stacks[seat] - setup_.stacks[seat];
    return payoffs;
}

Table Table::masked(int seat) const {
    Table view = *this;
    for (int other = 0; other < kMaxSeats; ++other) {
        if (other != seat && !(status_.shown >> other & 1)) view.holes_[other] = {kUnknownCard, kUnknownCard};
    }
    for (int i = status_.board_count; i < kBoardCards; ++i) view.board_[i] = kUnknownCard;
    return view;
}

CardSet Table::known_cards() const {
    CardSet known = 0;
    const auto add = [&](Card card) {
        if (card != kUnknownCard) known |= bit_of(card);
    };
    for (const auto& hole : holes_) {
        for (Card card : hole) add(card);
    }
    for (Card card : board_) add(card);
    return known;
}

Table Table::filled(core::Rng& rng) const {
    Table world = *this;
    std::array<Card, kCards> deck;
    uint32_t count = 0;
    for (CardSet left = kDeck & ~known_cards(); left; left &= left - 1) deck[count++] = static_cast<Card>(core::lowest(left));
    rng.shuffle(deck.data(), count);
    uint32_t next = 0;
    for (int seat = 0; seat < setup_.seats; ++seat) {
        if (!(status_.dealt >> seat & 1)) continue;
        for (Card& card : world.holes_[seat]) {
            if (card == kUnknownCard) card = deck[next++];
        }
    }
    for (Card& card : world.board_) {
        if (card == kUnknownCard) card = deck[next++];
    }
    return world;
}

Table Table::with_holes(const Holes& holes, core::Rng& rng) const {
    Table world = *this;
    CardSet seen = known_cards();
    for (int seat = 0; seat < setup_.seats; ++seat) {
        if (!(status_.dealt >> seat & 1)) continue;
        for (int i = 0; i < 2; ++i) {
            const Card card = holes[seat][i];
            if (world.holes_[seat][i] != kUnknownCard || card == kUnknownCard) continue;
            if (card >= kCards || (seen & bit_of(card))) throw std::invalid_argument("a card is dealt twice or is no card");
            seen |= bit_of(card);
            world.holes_[seat][i] = card;
        }
    }
    return world.filled(rng);
}

bool Table::is_consistent() const {
    Chips before = 0, now = status_.discarded;
    for (int seat = 0; seat < setup_.seats; ++seat) {
        before += setup_.stacks[seat];
        now += status_.stacks[seat];
        if (!is_over()) now += status_.paid[seat];
        if (status_.stacks[seat] < 0 || status_.bets[seat] < 0 || status_.bets[seat] > status_.paid[seat]) return false;
        if (!is_over() && status_.bets[seat] > std::max(status_.current_bet, setup_.big_blind)) return false;
    }
    if (!is_over()) {
        const int seat = status_.to_act;
        if (!is_live(seat) || status_.stacks[seat] <= 0 || !(status_.pending & seat_bit(seat))) return false;
        if (status_.pending & ~status_.live) return false;
        return before == now;
    }
    bool are_known = true;
    for (const Pot& pot : final_pots_) are_known &= pot.winners != 0;
    return !are_known || before == now;
}

}  // namespace mingpai::holdem
