#include "native/bidding/population.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <thread>

namespace mingpai::bidding {
namespace {

using doudizhu::MoveList;
using doudizhu::Phase;
using ruleplay::kLandlord;
using ruleplay::Move;
using ruleplay::world_of;

doudizhu::Rules rules_of(bool call_rob) {
    doudizhu::Rules rules;
    rules.bidding = call_rob ? Bidding::CallRob : Bidding::Score;
    return rules;
}

}  // namespace

Deal deal_around(Hand hand, int seat, Rng& rng) {
    doudizhu::View view;
    view.hand = hand;
    view.seat = static_cast<uint8_t>(seat);
    view.counts.fill(doudizhu::kDealtCards);
    view.bottom_count = doudizhu::kBottomCards;
    return view.sample(rng).deal();
}

// What one thread plays with.
class Population::CardPlayers {
  public:
    explicit CardPlayers(const ruleplay::Weights& greedy) {
        players_[static_cast<int>(Card::Rb)] = ruleplay::rule_based_player(rules_);
        players_[static_cast<int>(Card::Rhcp)] = ruleplay::remaining_value_player(rules_);
        players_[static_cast<int>(Card::Greedy)] = ruleplay::heuristic_player(rules_, greedy);
    }

    const doudizhu::Rules& rules() const { return rules_; }

    Move move(const World& world, const Member& member, Rng& rng) {
        if (member.slips > 0 && rng.uniform() < member.slips) {
            doudizhu::legal_moves(world.hands[world.turn], world.last, rules_, legal_);
            return legal_[static_cast<int>(rng.below(static_cast<uint32_t>(legal_.size())))];
        }
        return players_[static_cast<int>(member.card)]->move(seen_in(world));
    }

    // Plays a deal out; `tell` hears of every move before it is made.
    template <class Tell>
    void play_out(World& world, const std::array<const Member*, kSeats>& roles, Rng& rng, Tell tell) {
        while (!world.is_over()) {
            const Move chosen = move(world, *roles[world.turn], rng);
            tell(world.turn, chosen);
            world.play(chosen);
        }
    }

  private:
    doudizhu::Rules rules_;
    std::unique_ptr<ruleplay::Player> players_[kCardPlayers];
    MoveList legal_;
};

Population::Population(std::vector<Member> members, const Shares& shares, const ruleplay::Weights& greedy)
    : members_(std::move(members)), shares_(shares), greedy_(greedy) {
    if (members_.size() < static_cast<size_t>(kSeats)) throw std::invalid_argument("a population has at least three players");
    double sum = 0;
    for (const Member& member : members_) {
        if (!(member.noise > 0) || !(member.activity > 0)) throw std::invalid_argument("noise and activity are above 0");
        activity_.push_back(sum += member.activity);
    }
}

int Population::draw(Rng& rng) const {
    const double at = rng.uniform() * activity_.back();
    return static_cast<int>(std::upper_bound(activity_.begin(), activity_.end() - 1, at) - activity_.begin());
}

std::array<int, kSeats> Population::seat_players(Rng& rng) const {
    std::array<int, kSeats> seats;
    for (int seat = 0; seat < kSeats; ++seat) {
        do {
            seats[seat] = draw(rng);
        } while (std::find(seats.begin(), seats.begin() + seat, seats[seat]) != seats.begin() + seat);
    }
    return seats;
}

// The hand as the player rates it this time, held against the thresholds: the score it is worth, or yes and no.
int Population::bid_of(const Member& member, const State& state, const BidSituation& situation, double value, Rng& rng) const {
    const double uniform = std::max(rng.uniform(), 0x1.0p-53);
    const double rated = value + member.bias + member.noise * std::log(uniform / (1 - uniform));
    if (state.rules.bidding == Bidding::CallRob) return rated > threshold(situation);
    int wanted = 0;
    while (wanted < kBidValues && rated > kThresholds[kAsksCall][wanted]) ++wanted;
    return wanted > state.status.bid ? wanted : 0;
}

State Population::auction(const Deal& deal, const std::array<int, kSeats>& players, bool call_rob, int first, Rng& rng,
                          std::vector<Decided>& decided) const {
    State state = State::start(deal, rules_of(call_rob), first);
    decided.clear();
    int raises = 0;
    while (state.status.phase == Phase::Bid) {
        const int seat = state.status.turn;
        const BidSituation situation = situation_of(state, raises);
        const Member& member = members_[static_cast<size_t>(players[seat])];
        const int bid = bid_of(member, state, situation, hand_value(deal.hands[seat]), rng);
        decided.push_back({situation, static_cast<uint8_t>(seat), static_cast<uint8_t>(bid)});
        assert(bid == 0 || call_rob || bid > state.status.bid);
        raises += bid > 0;
        state.bid(bid);
    }
    return state;
}

void Population::game(uint64_t seed, int64_t number, CardPlayers& card_players, RawGame& out, bool& torn) const {
    Rng rng(core::stream_seed(seed, static_cast<uint64_t>(number)));
    const auto players = seat_players(rng);
    for (int seat = 0; seat < kSeats; ++seat) out.users[seat] = members_[static_cast<size_t>(players[seat])].id;
    out.deal = doudizhu::shuffled_deal(rng);
    const bool call_rob = rng.uniform() < shares_.call_rob;
    const int opener = static_cast<int>(rng.below(kSeats));
    double broken = rng.uniform();
    const auto is = [&broken](double share) { return (broken -= share) < 0; };
    torn = is(shares_.torn);
    const bool left = !torn && is(shares_.left), cut = !torn && !left && is(shares_.cut);
    const bool wrong = !torn && !left && !cut && is(shares_.wrong_first);

    // 1. The bidding.
    std::vector<Decided> decided;
    const State state = auction(out.deal, players, call_rob, opener, rng, decided);
    out.bids.clear();
    for (const Decided& bid : decided) {
        const Word word = !call_rob ? Word::Bid : bid.situation.phase == kAsksCall ? Word::Call : Word::Rob;
        out.bids.push_back({bid.seat, word, bid.value});
    }
    out.plays.clear();
    out.points = {};
    out.landlord_won = false;
    out.leaver = 0;
    out.ending = Ending::Void;
    if (state.status.landlord == doudizhu::kNobody) return;

    // 2. The cards.
    const int landlord = state.status.landlord;
    World world = world_of(out.deal, landlord);
    if (wrong) world.turn = static_cast<uint8_t>(1 + rng.below(kSeats - 1));
    std::array<const Member*, kSeats> roles;
    for (int role = 0; role < kSeats; ++role) roles[role] = &members_[static_cast<size_t>(players[(landlord + role) % kSeats])];
    card_players.play_out(world, roles, rng, [&](int role, const Move& move) {
        out.plays.push_back({static_cast<uint8_t>((landlord + role) % kSeats), move.cards});
    });

    // 3. The result, or what is left of the record.
    out.ending = left ? Ending::Left : cut ? Ending::Cut : Ending::Over;
    if (left || cut) {
        assert(!out.plays.empty());
        out.plays.resize(rng.below(static_cast<uint32_t>(out.plays.size())));
        if (left) out.leaver = static_cast<uint8_t>(rng.below(kSeats));
        return;
    }
    out.landlord_won = world.landlord_won();
    const int32_t stake = static_cast<int32_t>(state.status.bid) << world.doublings(card_players.rules());
    for (int seat = 0; seat < kSeats; ++seat) {
        const int32_t sign = (seat == landlord) == out.landlord_won ? 1 : -1;
        out.points[seat] = sign * stake * (seat == landlord ? kSeats - 1 : 1);
    }
    assert(out.points[0] + out.points[1] + out.points[2] == 0);
}

std::string Population::simulate(uint64_t seed, int64_t first, int games, int threads, const Convention& convention,
                                 core::Budget& budget) {
    if (games < 0 || threads < 1) throw std::invalid_argument("no negative number of games, at least one thread");
    std::vector<std::string> parts(static_cast<size_t>(threads));
    const auto work = [&](int part) {
        CardPlayers card_players(greedy_);
        RawGame game;
        std::string& out = parts[static_cast<size_t>(part)];
        const int64_t start = first + int64_t{games} * part / threads, stop = first + int64_t{games} * (part + 1) / threads;
        for (int64_t number = start; number < stop && !budget.spend(1); ++number) {
            bool torn = false;
            this->game(seed, number, card_players, game, torn);
            const size_t line = out.size();
            format(game, convention, out);
            if (torn) out.resize(line + (out.size() - line) / 2);
            out.push_back('\n');
        }
    };
    std::vector<std::thread> helpers;
    for (int part = 1; part < threads; ++part) helpers.emplace_back(work, part);
    work(0);
    for (std::thread& helper : helpers) helper.join();
    std::string out;
    if (budget.is_exhausted()) return out;
    for (const std::string& part : parts) out += part;
    return out;
}

std::vector<Outcome> Population::outcomes(const std::vector<Deal>& deals, const std::vector<std::array<int, kSeats>>& seats,
                                          uint64_t seed, core::Budget& budget) {
    if (deals.size() != seats.size()) throw std::invalid_argument("one seating for each deal");
    CardPlayers card_players(greedy_);
    std::vector<Outcome> out;
    out.reserve(deals.size() * kSeats);
    for (size_t i = 0; i < deals.size() && !budget.spend(1); ++i) {
        for (const int player : seats[i]) {
            if (player < 0 || static_cast<size_t>(player) >= members_.size()) throw std::out_of_range("no such player");
        }
        for (int landlord = 0; landlord < kSeats; ++landlord) {
            Rng rng(core::stream_seed(seed, kSeats * i + static_cast<size_t>(landlord)));
            World world = world_of(deals[i], landlord);
            std::array<const Member*, kSeats> roles;
            for (int role = 0; role < kSeats; ++role) {
                roles[role] = &members_[static_cast<size_t>(seats[i][(landlord + role) % kSeats])];
            }
            card_players.play_out(world, roles, rng, [](int, const Move&) {});
            Outcome outcome{world.landlord_won(), static_cast<uint8_t>(world.doublings(card_players.rules())), {}};
            for (int role = 0; role < kSeats; ++role) outcome.left[(landlord + role) % kSeats] = world.hands[role];
            out.push_back(outcome);
        }
    }
    return out;
}

std::vector<Population::Labels> Population::relive(const std::vector<Hand>& hands, const std::vector<int>& strong, int games,
                                                   uint64_t seed, core::Budget& budget) {
    if (strong.empty()) throw std::invalid_argument("at least one strong player");
    std::vector<double> sums;
    for (const int player : strong) {
        if (player < 0 || static_cast<size_t>(player) >= members_.size()) throw std::out_of_range("no such player");
        sums.push_back((sums.empty() ? 0 : sums.back()) + members_[static_cast<size_t>(player)].activity);
    }
    CardPlayers card_players(greedy_);
    std::vector<Labels> out(hands.size(), Labels{});
    std::vector<Decided> decided;
    for (size_t i = 0; i < hands.size(); ++i) {
        Rng rng(core::stream_seed(seed, i));
        for (int round = 0; round < games; ++round) {
            if (budget.spend(1)) return out;
            const int me = static_cast<int>(rng.below(kSeats));
            std::array<int, kSeats> players;
            do {
                players = seat_players(rng);
                const double at = rng.uniform() * sums.back();
                const auto place = std::upper_bound(sums.begin(), sums.end() - 1, at) - sums.begin();
                players[me] = strong[static_cast<size_t>(place)];
            } while (players[0] == players[1] || players[1] == players[2] || players[0] == players[2]);
            const Deal deal = deal_around(hands[i], me, rng);
            const bool call_rob = rng.uniform() < shares_.call_rob;
            const int opener = static_cast<int>(rng.below(kSeats));
            const State state = auction(deal, players, call_rob, opener, rng, decided);
            const int landlord = state.status.landlord;
            if (landlord == doudizhu::kNobody) continue;
            World world = world_of(deal, landlord);
            std::array<const Member*, kSeats> roles;
            for (int role = 0; role < kSeats; ++role) {
                roles[role] = &members_[static_cast<size_t>(players[(landlord + role) % kSeats])];
            }
            card_players.play_out(world, roles, rng, [](int, const Move&) {});
            if (world.landlord_won() != (me == landlord)) continue;
            for (const Decided& bid : decided) {
                if (bid.seat != me) continue;
                const bool label = me == landlord || bid.value > 0;
                ++out[i][(bid.situation.phase * kBidValues + bid.situation.value) * 2 + label];
            }
        }
    }
    return out;
}

}  // namespace mingpai::bidding
