#include "native/guandan/round.hpp"

#include <cassert>

namespace mingpai::guandan {
namespace {

constexpr std::array<int8_t, kSeats> kNoOrder{kNobody, kNobody, kNobody, kNobody};

// Kinds of the rank, jokers included.
constexpr uint64_t kinds_of_rank(int rank) {
    return rank < kRanks ? 15ULL << (kSuits * rank) : 1ULL << (kSmallJoker + rank - kRanks);
}

void list_kinds(Type type, uint64_t kinds, int level, std::vector<Play>& out) {
    for (; kinds; kinds &= kinds - 1) out.push_back(exchange_play(type, core::lowest(kinds), level));
}

// The kinds of `kinds` with the highest (or lowest) order.
uint64_t extreme_kinds(uint64_t kinds, int level, bool highest) {
    uint64_t out = 0;
    int best = highest ? -1 : kOrders;
    for (int rank = 0; rank < kPlayRanks; ++rank) {
        const int order = order_of(rank, level);
        const uint64_t here = kinds & kinds_of_rank(rank);
        if (here && (highest ? order > best : order < best)) {
            best = order;
            out = here;
        }
    }
    return out;
}

}  // namespace

int points(const std::array<int8_t, kSeats>& order) {
    int place = 1;
    while (order[place] != partner_of(order[0])) ++place;
    return kSeats - place;
}

uint64_t tribute_kinds(const Cards& hand, int level) {
    return extreme_kinds(hand.once & ~(1ULL << wild_kind(level)), level, true);
}

uint64_t returnable(int level) {
    uint64_t out = 0;
    for (int rank = kTwo; rank <= kTen; ++rank) out |= rank == level ? 0 : kinds_of_rank(rank);
    return out;
}

uint64_t return_kinds(const Cards& hand, int level, NoReturn fallback) {
    if (const uint64_t regular = hand.once & returnable(level)) return regular;
    return fallback == NoReturn::Any ? hand.once : extreme_kinds(hand.once, level, false);
}

int assign_payers(const std::array<int8_t, kSeats>& previous, std::array<Exchange, 2>& exchanges) {
    const int first = previous[0];
    if (previous[1] != partner_of(first)) {
        exchanges[0].payer = previous[kSeats - 1];
        return 1;
    }
    exchanges[0].payer = static_cast<int8_t>(next_seat(first));
    exchanges[1].payer = static_cast<int8_t>(next_seat(partner_of(first)));
    return 2;
}

void assign_receivers(const Profile& profile, int level, const std::array<int8_t, kSeats>& previous, int count,
                      std::array<Exchange, 2>& exchanges) {
    auto& [a, b] = exchanges;
    a.receiver = previous[0];
    if (count < 2) return;
    const int order_a = order_of(rank_of(a.tribute), level), order_b = order_of(rank_of(b.tribute), level);
    const bool swap = profile.pairing == Pairing::HigherCard && order_b > order_a;
    a.receiver = previous[swap ? 1 : 0];
    b.receiver = previous[swap ? 0 : 1];
}

Round::Round(const Profile& profile, const std::array<Cards, kSeats>& hands, int level, int leader)
    : profile_(&profile), level_(level), first_leader_(leader), previous_(kNoOrder) {
    status_.hands = hands;
    for (const Cards& hand : hands) deck_ = deck_ + hand;
    start_tricks(leader);
}

Round::Round(const Profile& profile, const std::array<Cards, kSeats>& hands, int level,
             const std::array<int8_t, kSeats>& previous)
    : profile_(&profile), level_(level), previous_(previous) {
    status_.hands = hands;
    for (const Cards& hand : hands) deck_ = deck_ + hand;
    begin_tribute();
}

void Round::start_tricks(int leader) {
    assert(leader >= 0 && leader < kSeats && status_.best_seat == kNobody);
    status_.phase = Phase::Play;
    status_.turn = status_.leader = static_cast<int8_t>(leader);
}

// --- tribute ----------------------------------------------------------------------------------------------------------

void Round::begin_tribute() {
    const int first = previous_[0];
    status_.exchange_count = static_cast<int8_t>(assign_payers(previous_, status_.exchanges));
    int big_jokers = 0;
    for (int i = 0; i < status_.exchange_count; ++i) big_jokers += status_.hands[status_.exchanges[i].payer].count(kBigJoker);
    if (big_jokers == kCopies) {
        status_.resisted = true;
        start_tricks(first);
        return;
    }
    status_.phase = Phase::Tribute;
    status_.turn = status_.exchanges[0].payer;
}

void Round::choose_tribute(int kind) {
    assert(status_.phase == Phase::Tribute && status_.hands[status_.turn].count(kind) > 0);
    const bool second = status_.exchanges[0].tribute != kNobody;
    status_.exchanges[second].tribute = static_cast<int8_t>(kind);
    if (!second && status_.exchange_count == 2) {
        status_.turn = status_.exchanges[1].payer;
    } else {
        pair_tributes();
    }
}

void Round::pair_tributes() {
    assign_receivers(*profile_, level_, previous_, status_.exchange_count, status_.exchanges);
    for (int i = 0; i < status_.exchange_count; ++i) {
        const Exchange& exchange = status_.exchanges[i];
        status_.hands[exchange.payer].remove(exchange.tribute);
        status_.hands[exchange.receiver].add(exchange.tribute);
    }
    status_.phase = Phase::Return;
    status_.turn = previous_[0];
}

Exchange& Round::open_exchange() {
    const bool second = status_.exchanges[0].receiver != status_.turn;
    assert(status_.exchanges[second].receiver == status_.turn && status_.exchanges[second].returned == kNobody);
    return status_.exchanges[second];
}

void Round::choose_return(int kind) {
    Exchange& exchange = open_exchange();
    exchange.returned = static_cast<int8_t>(kind);
    status_.hands[exchange.receiver].remove(kind);
    status_.hands[exchange.payer].add(kind);
    if (status_.exchange_count == 2 && status_.turn == previous_[0]) {
        status_.turn = previous_[1];
        return;
    }
    const auto& [a, b] = status_.exchanges;
    int leader = a.payer;
    if (status_.exchange_count == 2) {
        const int order_a = order_of(rank_of(a.tribute), level_), order_b = order_of(rank_of(b.tribute), level_);
        if (order_b > order_a) leader = b.payer;
        if (order_a == order_b) {
            const int of_first = a.receiver == previous_[0] ? a.payer : b.payer;
            leader = profile_->tie_leads == TieLeads::PayerOfFirst ? of_first : previous_[kSeats - 1];
        }
    }
    start_tricks(leader);
}

void Round::tribute_choices(std::vector<Play>& out) const {
    list_kinds(Type::Tribute, tribute_kinds(status_.hands[status_.turn], level_), level_, out);
}

void Round::return_choices(std::vector<Play>& out) const {
    list_kinds(Type::Return, return_kinds(status_.hands[status_.turn], level_, profile_->no_return), level_, out);
}

// --- tricks -----------------------------------------------------------------------------------------------------------

Holding Round::own_holding() const {
    return Holding(status_.hands[status_.turn], level_, profile_->wild_straight == WildStraight::Either);
}

Mask Round::legal_mask() const {
    if (status_.phase != Phase::Play) return {};
    const Holding holding = own_holding();
    return is_leading() ? holding.lead_mask() : holding.follow_mask(status_.best);
}

void Round::legal_plays(std::vector<Play>& out) const {
    switch (status_.phase) {
        case Phase::Tribute: return tribute_choices(out);
        case Phase::Return: return return_choices(out);
        case Phase::Over: return;
        case Phase::Play: break;
    }
    const Holding holding = own_holding();
    if (is_leading()) {
        holding.list_all(holding.lead_mask(), nullptr, out);
    } else {
        holding.list_all(holding.follow_mask(status_.best), &status_.best, out);
    }
}

void Round::plays_of(int pseudo, std::vector<Play>& out) const {
    const Holding holding = own_holding();
    holding.list(pseudo, is_leading() ? nullptr : &status_.best, out);
}

const char* Round::why_illegal(const Play& play) const {
    if (is_over()) return "finished";
    const Type type = play.type;
    if ((type == Type::Tribute) != (phase() == Phase::Tribute)) return "tribute_first";
    if ((type == Type::Return) != (phase() == Phase::Return)) return "return_first";
    if (!status_.hands[turn()].contains(play.cards)) return "not_held";
    std::vector<Play> plays;
    if (phase() == Phase::Play) {
        if (play.is_pass() && is_leading()) return "must_lead";
        if (!is_leading() && !play.is_pass() && !beats(play, status_.best, level_)) return "does_not_beat";
        if (!legal_mask().test(pseudo_index(play))) return "no_combination";
        plays_of(pseudo_index(play), plays);
    } else {
        legal_plays(plays);
    }
    for (const Play& legal : plays) {
        if (legal == play) return nullptr;
    }
    if (phase() == Phase::Tribute) return "tribute_highest";
    if (phase() == Phase::Return) return "return_low";
    return "no_combination";
}

void Round::apply(const Play& play) {
    snapshots_.push_back(status_);
    const int seat = status_.turn;
    steps_.push_back({static_cast<int8_t>(seat), play});
    if (play.type == Type::Tribute) return choose_tribute(core::lowest(play.cards.once));
    if (play.type == Type::Return) return choose_return(core::lowest(play.cards.once));
    if (!play.is_pass()) {
        if (is_leading()) status_.leader = static_cast<int8_t>(seat);
        assert(status_.hands[seat].contains(play.cards));
        status_.hands[seat] = status_.hands[seat] - play.cards;
        status_.played[seat] = status_.played[seat] + play.cards;
        status_.best = play;
        status_.best_seat = static_cast<int8_t>(seat);
        if (status_.hands[seat].empty()) finish(seat);
        if (is_over()) return;
    }
    pass_turn(seat);
}

void Round::finish(int seat) {
    assert(status_.finished < kSeats - 1);
    auto& order = status_.order;
    order[status_.finished++] = static_cast<int8_t>(seat);
    const bool both_of_a_team = status_.finished == 2 && partner_of(order[0]) == order[1];
    if (!both_of_a_team && status_.finished < kSeats - 1) return;
    // The rest take the last places, in the order of their turns.
    int place = status_.finished;
    for (int i = 1, next = next_seat(seat); i < kSeats; ++i, next = next_seat(next)) {
        if (!status_.hands[next].empty()) order[place++] = static_cast<int8_t>(next);
    }
    status_.phase = Phase::Over;
    status_.turn = kNobody;
}

void Round::pass_turn(int from) {
    int seat = next_seat(from);
    while (seat != status_.best_seat && status_.hands[seat].empty()) seat = next_seat(seat);
    if (seat == status_.best_seat) {
        // Nobody beat it: its player leads, or if he is out his partner.
        if (status_.hands[seat].empty()) seat = partner_of(seat);
        status_.best = {};
        status_.best_seat = kNobody;
        status_.leader = static_cast<int8_t>(seat);
    }
    status_.turn = static_cast<int8_t>(seat);
}

void Round::undo() {
    assert(!snapshots_.empty());
    status_ = snapshots_.back();
    snapshots_.pop_back();
    steps_.pop_back();
}

int Round::score(int seat) const {
    assert(is_over());
    const int won = points(status_.order);
    return team_of(seat) == team_of(status_.order[0]) ? won : -won;
}

const char* Round::inconsistency() const {
    Cards all;
    int total = 0;
    for (int seat = 0; seat < kSeats; ++seat) {
        for (const Cards& cards : {status_.hands[seat], status_.played[seat]}) {
            if (cards.twice & ~cards.once) return "a kind held twice but not once";
            total += cards.size();
            all = all + cards;
        }
        if (status_.phase == Phase::Play && deck_ == kFullDeck && status_.hands[seat].size() + status_.played[seat].size() != kHandSize) return "a seat without 27 cards";
    }
    if (total != deck_.size() || !(all == deck_)) return "hands and plays are not the cards of the deal";
    if (!is_over() && status_.hands[turn()].empty()) return "a seat without cards is to decide";
    if (is_leading() != status_.best.is_pass()) return "the play to beat has no owner";
    return nullptr;
}

Round Round::with_hands(const std::array<Cards, kSeats>& hands) const {
    Round out = *this;
    out.snapshots_.clear();
    out.status_.hands = hands;
    return out;
}

namespace {

// Takes plays and exchanges back.
std::array<Cards, kSeats> hands_before(std::array<Cards, kSeats> hands, const RoundStatus& status) {
    for (int seat = 0; seat < kSeats; ++seat) hands[seat] = hands[seat] + status.played[seat];
    for (const Exchange& exchange : status.exchanges) {
        if (exchange.receiver == kNobody) continue;
        if (exchange.returned != kNobody) {
            hands[exchange.payer].remove(exchange.returned);
            hands[exchange.receiver].add(exchange.returned);
        }
        hands[exchange.receiver].remove(exchange.tribute);
        hands[exchange.payer].add(exchange.tribute);
    }
    return hands;
}

}  // namespace

std::array<Cards, kSeats> Round::dealt() const { return hands_before(status_.hands, status_); }

Round Round::restarted(const std::array<Cards, kSeats>& hands, const RoundStatus& open) const {
    const std::array<Cards, kSeats> start = hands_before(hands, open);
    return previous_[0] == kNobody ? Round(*profile_, start, level_, first_leader_) : Round(*profile_, start, level_, previous_);
}

Round Round::world(const std::array<Cards, kSeats>& hands) const {
    Round out = restarted(hands, status_);
    for (const Step& step : steps_) out.apply(step.play);
    return out;
}

}  // namespace mingpai::guandan
