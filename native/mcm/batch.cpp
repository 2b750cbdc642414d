#include "native/mcm/batch.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstring>

#include "native/doudizhu/movegen.hpp"

namespace mingpai::mcm {
namespace {

// Of the solver, for one move: a position of few cards takes far less.
constexpr uint64_t kExactNodes = 20'000;
constexpr size_t kExactMemory = size_t{16} << 20;

endgame::Position open_position(const OpenTable& table) {
    endgame::Position position;
    static_cast<doudizhu::Trick&>(position) = table.play;
    position.players = kRoles;
    position.hands = table.hands;
    return position;
}

// Whether the stake can double no more.
bool is_calm(const OpenTable& table, const doudizhu::Rules& rules) {
    if (rules.counts_springs() && table.play.may_be_spring()) return false;
    const auto has_bomb = [](Hand hand) { return doudizhu::bombs_in(hand) > 0; };
    return !rules.counts_bombs() || std::none_of(table.hands.begin(), table.hands.end(), has_bomb);
}

}  // namespace

Samples::Samples(size_t capacity, RowSizes sizes)
    : states(capacity * sizes.state), moves(capacity * sizes.move), wins(capacity), points(capacity), capacity_(capacity),
      sizes_(sizes) {}

void Samples::add(const uint8_t* state, const uint8_t* move, float win, float point) {
    assert(capacity_ > 0 && win >= 0 && win <= 1);
    const size_t place = added_++ % capacity_;
    std::memcpy(&states[place * sizes_.state], state, sizes_.state);
    std::memcpy(&moves[place * sizes_.move], move, sizes_.move);
    wins[place] = win;
    points[place] = point;
}

Batch::Batch(const BatchSettings& settings, Samples* samples)
    : settings_(settings), samples_(samples), seats_(settings.tables) {
    assert(!settings_.rules.empty());
    if (settings.exact_cards > 0) solver_ = std::make_unique<endgame::Engine>(kExactMemory);
    for (int i = 0; i < settings.tables; ++i) {
        seats_[i].rng = core::Rng(core::stream_seed(settings.seed, i));
        deal_new(seats_[i]);
        advance(seats_[i]);
    }
    update_offsets();
}

std::vector<int8_t> Batch::turns() const {
    std::vector<int8_t> out;
    out.reserve(seats_.size());
    for (const Seat& seat : seats_) out.push_back(static_cast<int8_t>(seat.table.is_over() ? -1 : seat.table.play.turn));
    return out;
}

void Batch::observe(uint8_t* states, uint8_t* moves) {
    const RowSizes& rows = settings_.rows;
    const bool is_open = rows == kOpenRows;
    Places places;
    for (const Seat& seat : seats_) {
        places.clear();
        if (!seat.table.is_over()) {
            const SeatView view{seat.table.play, seat.table.hands[seat.table.play.turn], seat.objective, *seat.rules};
            const OtherHands others = seat.table.other_hands();
            const int hand_turns = turns_(view.hand);
            const Hand unseen = view.unseen();
            const Odds odds = view.odds(unseen);
            for (const Move& move : seat.moves) {
                view.list_move(move, unseen, odds, hand_turns, turns_(view.hand - move.cards), places);
                if (is_open) list_higher(others, move, places);
                places.write(moves, rows.move);
                moves += rows.move;
            }
            view.list_state(places, hand_turns);
            if (is_open) list_others(others, turns_, places);
        }
        places.write(states, rows.state);
        states += rows.state;
    }
}

void Batch::act(const float* values, const float* judged, const uint8_t* states, const uint8_t* moves, float explore, float lambda) {
    lambda_ = lambda;
    for (int i = 0; i < tables(); ++i) {
        Seat& seat = seats_[i];
        if (seat.table.is_over()) continue;
        const size_t row = offsets_[i];
        int best = 0;
        const int choice = choose(seat, values + row * kValueColumns, explore, &best);
        if (samples_) {
            record(seat, judged + (row + best) * kValueColumns, choice, choice != best, states + size_t(i) * settings_.rows.state,
                   moves + (row + choice) * settings_.rows.move);
        }
        make(seat, choice);
    }
    update_offsets();
}

void Batch::play(std::span<const int32_t> choices) {
    for (int i = 0; i < tables(); ++i) {
        if (!seats_[i].table.is_over()) make(seats_[i], choices[i]);
    }
    update_offsets();
}

void Batch::deal_new(Seat& seat) {
    const bool has_bids = seat.rng.uniform() < settings_.bid_share;
    seat.objective = seat.rng.uniform() < settings_.points_share ? Objective::Points : Objective::Win;
    const auto profiles = static_cast<uint32_t>(settings_.rules.size());
    seat.rules = &settings_.rules[profiles > 1 ? seat.rng.below(profiles) : 0];
    seat.table = deal(seat.rng, has_bids);
}

bool Batch::advance(Seat& seat) {
    doudizhu::MoveList list;
    while (!seat.table.is_over()) {
        doudizhu::legal_moves(seat.table.hands[seat.table.play.turn], seat.table.play.last, *seat.rules, list);
        if (list.size() > 1) {
            seat.moves.assign(list.begin(), list.end());
            return true;
        }
        seat.table.apply(list[0]);
        ++counts_.moves;
    }
    seat.moves.clear();
    return false;
}

void Batch::make(Seat& seat, int choice) {
    assert(choice >= 0 && choice < static_cast<int>(seat.moves.size()));
    counts_.options += seat.moves.size();
    ++counts_.decisions;
    ++counts_.moves;
    seat.table.apply(seat.moves[choice]);
    while (!advance(seat)) {
        finish(seat);
        if (!settings_.deals_again) return;
        deal_new(seat);
    }
}

int Batch::choose(Seat& seat, const float* values, float explore, int* best) {
    const int column = seat.objective == Objective::Points ? kPointsColumn : kWinColumn;
    const int count = static_cast<int>(seat.moves.size());
    for (int i = 1; i < count; ++i) {
        if (values[i * kValueColumns + column] > values[*best * kValueColumns + column]) *best = i;
    }
    assert(count > 1 && *best < count);
    return explore > 0 && seat.rng.uniformf() < explore ? static_cast<int>(seat.rng.below(count)) : *best;
}

std::optional<bool> Batch::proved_result(const Seat& seat, const Move& move) {
    if (!solver_ || (seat.objective != Objective::Win && !is_calm(seat.table, *seat.rules))) return std::nullopt;
    int cards = 0;
    for (Hand hand : seat.table.hands) cards += doudizhu::card_count(hand);
    if (cards > settings_.exact_cards) return std::nullopt;
    const endgame::Position position = open_position(seat.table);
    solver_->set_root(position, *seat.rules);
    core::Budget budget;
    const endgame::Answer answer = solver_->solve(position.after(move), kExactNodes, budget);
    if (answer == endgame::Answer::kUnknown) return std::nullopt;
    ++counts_.proved;
    return (answer == endgame::Answer::kWon) == position.is_landlords_turn();
}

void Batch::record(Seat& seat, const float* value, int choice, bool explored, const uint8_t* state, const uint8_t* move) {
    const Play& play = seat.table.play;
    const float win = 1 / (1 + std::exp(-value[kWinColumn]));
    const auto doublings = static_cast<uint8_t>(play.bomb_doublings(*seat.rules));
    seat.steps.push_back({play.turn, doublings, explored, win, value[kPointsColumn], proved_result(seat, seat.moves[choice]),
                          is_calm(seat.table, *seat.rules)});
    seat.rows.insert(seat.rows.end(), state, state + settings_.rows.state);
    seat.rows.insert(seat.rows.end(), move, move + settings_.rows.move);
}

void Batch::finish(Seat& seat) {
    assert(seat.table.is_over() && seat.moves.empty());
    ++counts_.deals;
    counts_.landlord_wins += seat.table.play.landlord_won();
    counts_.bombs += seat.table.play.bombs;
    if (samples_) give_returns(seat);
}

// Walks back through the deal. `win` and `points` are each role's return so far; points are counted in stakes after
// `doublings` doublings, so they grow as the walk passes a bomb.
void Batch::give_returns(Seat& seat) {
    struct Return {
        float win, points;
        int doublings;
    };
    const float most = std::ldexp(1.f, settings_.most_doublings);
    std::array<Return, kRoles> returns;
    for (int role = 0; role < kRoles; ++role) {
        const bool won = !are_enemies(role, seat.table.play.owner);
        returns[role] = {won ? 1.f : 0.f, won ? 1.f : -1.f, seat.table.play.doublings(*seat.rules)};
    }
    assert(seat.rows.size() == seat.steps.size() * (settings_.rows.state + settings_.rows.move));
    for (size_t i = seat.steps.size(); i-- > 0;) {
        const Step& step = seat.steps[i];
        Return& r = returns[step.role];
        assert(r.doublings >= step.doublings);
        r.points = std::clamp(std::ldexp(r.points, r.doublings - step.doublings), -most, most);
        r.doublings = step.doublings;
        if (step.proved) r.win = *step.proved ? 1.f : 0.f;
        if (step.proved && step.is_calm) r.points = *step.proved ? 1.f : -1.f;
        const uint8_t* row = &seat.rows[i * (settings_.rows.state + settings_.rows.move)];
        samples_->add(row, row + settings_.rows.state, r.win, r.points);
        const float keep = step.explored ? 0 : lambda_;
        r.win = keep * r.win + (1 - keep) * step.win;
        r.points = keep * r.points + (1 - keep) * step.points;
    }
    seat.steps.clear();
    seat.rows.clear();
}

void Batch::update_offsets() {
    offsets_.resize(seats_.size() + 1);
    offsets_[0] = 0;
    for (size_t i = 0; i < seats_.size(); ++i) offsets_[i + 1] = offsets_[i] + static_cast<int32_t>(seats_[i].moves.size());
}

}  // namespace mingpai::mcm
