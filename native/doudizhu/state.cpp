#include "native/doudizhu/state.hpp"

#include <cassert>

namespace mingpai::doudizhu {
namespace {

// The ranks of the cards of a hand, one entry for each card; returns their number.
int spread(Hand hand, uint8_t* ranks) {
    int count = 0;
    for (RankMask mask = at_least1(hand); mask; mask &= mask - 1) {
        const int rank = core::lowest(mask);
        for (int i = count_of(hand, rank); i > 0; --i) ranks[count++] = static_cast<uint8_t>(rank);
    }
    return count;
}

// Draws `count` of the first `left` cards, moves them behind, and returns them as a hand.
Hand draw(uint8_t* ranks, int& left, int count, core::Rng& rng) {
    Hand hand = 0;
    for (int i = 0; i < count; ++i) {
        const uint32_t pick = rng.below(static_cast<uint32_t>(left));
        --left;
        hand += cards_of(ranks[pick]);
        ranks[pick] = ranks[left];
    }
    return hand;
}

}  // namespace

Deal shuffled_deal(core::Rng& rng) {
    uint8_t ranks[kDeckCards];
    int left = spread(kFullDeck, ranks);
    Deal deal;
    deal.bottom = draw(ranks, left, kBottomCards, rng);
    deal.hands[0] = draw(ranks, left, kDealtCards, rng);
    deal.hands[1] = draw(ranks, left, kDealtCards, rng);
    deal.hands[2] = kFullDeck - deal.bottom - deal.hands[0] - deal.hands[1];
    assert(left == kDealtCards && card_count(deal.hands[2]) == kDealtCards);
    return deal;
}

State State::start(const Deal& deal, const Rules& rules, int first) {
    assert(first >= 0 && first < kSeats);
    if (rules.bidding == Bidding::None) return start_play(deal, rules, first);
    State state;
    state.hands = deal.hands;
    state.bottom = deal.bottom;
    state.rules = rules;
    state.status.first = state.status.turn = static_cast<uint8_t>(first);
    return state;
}

State State::start_play(const Deal& deal, const Rules& rules, int landlord, int bid) {
    State state;
    state.hands = deal.hands;
    state.bottom = deal.bottom;
    state.rules = rules;
    state.status.first = state.status.bidder = static_cast<uint8_t>(landlord);
    state.status.bid = static_cast<uint8_t>(bid);
    state.finish_bidding();
    return state;
}

uint32_t State::legal_bids() const {
    if (status.phase != Phase::Bid) return 0;
    if (rules.bidding == Bidding::CallRob) return 0b11;
    const uint32_t all = (1u << (kMaxBid + 1)) - 1;
    return 1u | (all & ~((2u << status.bid) - 1));
}

Status State::bid(int value) {
    assert(legal_bids() >> value & 1);
    const Status before = status;
    ++status.bids_made;
    if (rules.bidding == Bidding::CallRob) {
        const auto bit = static_cast<uint8_t>(1u << status.turn);
        if (status.caller != kNobody) {
            status.asked |= bit;
            if (value) {
                status.bid = static_cast<uint8_t>(2 * status.bid);
                status.bidder = status.turn;
            }
        } else if (value) {
            status.caller = status.bidder = status.turn;
            status.bid = 1;
        } else {
            status.declined |= bit;
        }
        next_of_call_rob();
        return before;
    }
    status.refusals = value ? 0 : static_cast<uint8_t>(status.refusals + 1);
    if (value) {
        status.bid = static_cast<uint8_t>(value);
        status.bidder = status.turn;
    }
    const bool asked_all = rules.bidding == Bidding::Score && status.bids_made == kSeats;
    const bool outbid_none = status.refusals == (status.bidder == kNobody ? kSeats : kSeats - 1);
    if (status.bid == kMaxBid || asked_all || (rules.bidding == Bidding::Auction && outbid_none)) {
        finish_bidding();
    } else {
        status.turn = static_cast<uint8_t>(next_seat(status.turn));
    }
    return before;
}

void State::next_of_call_rob() {
    if (status.caller == kNobody) {
        if (status.bids_made == kSeats) return finish_bidding();
        status.turn = static_cast<uint8_t>(next_seat(status.turn));
        return;
    }
    const int second = next_seat(status.caller), third = next_seat(second);
    for (const int seat : {second, third}) {
        if (!((status.declined | status.asked) >> seat & 1)) {
            status.turn = static_cast<uint8_t>(seat);
            return;
        }
    }
    const bool was_robbed = status.bidder != status.caller;
    if (was_robbed && !(status.asked >> status.caller & 1)) {
        status.turn = status.caller;
        return;
    }
    finish_bidding();
}

void State::finish_bidding() {
    status.landlord = status.bidder;
    if (status.bidder == kNobody) {
        status.phase = Phase::Over;
        return;
    }
    hands[status.landlord] += bottom;
    status.turn = status.landlord;
    status.phase = Phase::Play;
    assert(is_consistent());
}

void State::undo_bid(const Status& before) {
    if (status.phase == Phase::Play) hands[status.landlord] -= bottom;
    status = before;
}

Status State::play(const Move& move) {
    assert(status.phase == Phase::Play && holds(hands[status.turn], move.cards));
    const Status before = status;
    const int seat = status.turn;
    status.apply(move);
    if (move.is_pass()) return before;
    hands[seat] -= move.cards;
    played[seat] += move.cards;
    if (hands[seat] == 0) {
        status.phase = Phase::Over;
        status.turn = status.owner;
    }
    assert(is_consistent());
    return before;
}

void State::undo_play(const Move& move, const Status& before) {
    assert(holds(played[before.turn], move.cards));
    status = before;
    hands[status.turn] += move.cards;
    played[status.turn] -= move.cards;
}

Deal State::deal() const {
    Deal deal;
    for (int seat = 0; seat < kSeats; ++seat) deal.hands[seat] = hands[seat] + played[seat];
    if (status.landlord != kNobody) deal.hands[status.landlord] -= bottom;
    deal.bottom = bottom;
    return deal;
}

std::array<int32_t, kSeats> State::points() const {
    assert(is_over());
    std::array<int32_t, kSeats> out{};
    if (status.landlord == kNobody) return out;
    if (rules.unit_score) {
        for (int seat = 0; seat < kSeats; ++seat) out[seat] = (seat == status.landlord) == landlord_won();
        return out;
    }
    const int32_t stake = static_cast<int32_t>(status.bid) << status.doublings(rules);
    const int32_t farmer = landlord_won() ? -stake : stake;
    out.fill(farmer);
    out[status.landlord] = -2 * farmer;
    return out;
}

bool State::is_consistent() const {
    Hand left = kFullDeck;
    for (const Hand cards : {hands[0], hands[1], hands[2], played[0], played[1], played[2]}) {
        if (!is_hand(cards) || !holds(left, cards)) return false;
        left -= cards;
    }
    if (status.turn >= kSeats || (status.phase == Phase::Play && status.landlord >= kSeats)) return false;
    if (status.phase != Phase::Play) return true;
    for (const Hand hand : hands) {
        if (hand == 0) return false;
    }
    return status.is_lead() || (status.owner < kSeats && holds(played[status.owner], status.last.cards));
}

View State::view(int seat) const {
    assert(seat >= 0 && seat < kSeats);
    View view;
    view.hand = hands[seat];
    view.played = played;
    const bool face_up = status.landlord != kNobody;
    view.bottom = face_up ? bottom : 0;
    view.bottom_count = static_cast<uint8_t>(face_up ? 0 : card_count(bottom));
    for (int s = 0; s < kSeats; ++s) view.counts[s] = static_cast<uint8_t>(card_count(hands[s]));
    view.seat = static_cast<uint8_t>(seat);
    view.rules = rules;
    view.status = status;
    return view;
}

Hand View::known_of_landlord() const {
    if (status.landlord == kNobody || status.landlord == seat) return 0;
    return without(bottom, played[status.landlord]);
}

Hand View::unseen(Hand deck) const {
    return deck - hand - played[0] - played[1] - played[2] - known_of_landlord();
}

bool View::may_double(Hand deck) const {
    if (rules.counts_springs() && status.may_be_spring()) return true;
    const Hand others = deck - hand - played[0] - played[1] - played[2];
    return rules.counts_bombs() && bombs_in(hand) + bombs_in(others) > 0;
}

bool View::agrees(const std::array<Hand, kSeats>& hands, Hand bottom_cards, Hand deck) const {
    Hand left = deck;
    for (const Hand cards : {hands[0], hands[1], hands[2], played[0], played[1], played[2]}) {
        if (!is_hand(cards) || !holds(left, cards)) return false;
        left -= cards;
    }
    for (int s = 0; s < kSeats; ++s) {
        if (card_count(hands[s]) != counts[s]) return false;
    }
    if (hands[seat] != hand) return false;
    if (status.landlord == kNobody) return left == bottom_cards;
    return left == 0 && bottom_cards == bottom && holds(hands[status.landlord], known_of_landlord());
}

State View::with_hands(const std::array<Hand, kSeats>& hands, Hand bottom_cards) const {
    State state;
    state.hands = hands;
    state.played = played;
    state.bottom = bottom_cards;
    state.rules = rules;
    state.status = status;
    return state;
}

State View::sample(core::Rng& rng, Hand deck) const {
    uint8_t ranks[kDeckCards];
    int left = spread(unseen(deck), ranks);
    const Hand known = known_of_landlord();
    std::array<Hand, kSeats> hands{};
    for (int s = 0; s < kSeats; ++s) {
        if (s == seat) {
            hands[s] = hand;
            continue;
        }
        const Hand sure = s == status.landlord ? known : 0;
        hands[s] = sure + draw(ranks, left, counts[s] - card_count(sure), rng);
    }
    const Hand bottom_cards = bottom_count ? draw(ranks, left, bottom_count, rng) : bottom;
    assert(left == 0 && agrees(hands, bottom_cards, deck));
    return with_hands(hands, bottom_cards);
}

}  // namespace mingpai::doudizhu
