#include "native/abduction/tables.hpp"

#include <algorithm>
#include <cassert>

namespace mingpai::abduction {

using namespace guandan;

namespace {

template <class T>
void append(std::vector<T>& to, const T* from, size_t count) {
    to.insert(to.end(), from, from + count);
}

Round empty_round(const Profile& profile) { return Round(profile, std::array<Cards, kSeats>{}, kTwo, 0); }

}  // namespace

void Samples::clear() {
    rows.clear();
    open.clear();
    hidden.clear();
    offsets.assign(1, 0);
    pseudo.clear();
    facts.clear();
    marks.clear();
    worth.clear();
    choice.clear();
    log_prob.clear();
    value.clear();
    advantage.clear();
    score.clear();
    left.clear();
}

Tables::Tables(const TableSettings& settings, std::vector<std::array<int, 2>> players) : settings_(settings) {
    assert(static_cast<int>(players.size()) == settings.tables);
    for (int i = 0; i < settings.tables; ++i) {
        seats_.push_back({empty_round(*settings.profile), players[i], core::Rng(core::stream_seed(settings.seed, i)), {}, {}, {}, -1, 0, std::nullopt, {}, false, -1, {}});
        begin_round(seats_.back());
        advance(seats_.back());
    }
    find_waiting();
}

Tables::Tables(const TableSettings& settings, std::array<int, 2> players, int first_pair, int pairs) : settings_(settings), match_seed_(settings.seed) {
    for (int pair = first_pair; pair < first_pair + pairs; ++pair) {
        for (int8_t swapped : {0, 1}) {
            const std::array<int, 2> seated = swapped ? std::array<int, 2>{players[1], players[0]} : players;
            seats_.push_back({empty_round(*settings.profile), seated, core::Rng(0), {}, {}, {}, pair, swapped, Match(*settings.profile), {}, false, -1, {}});
            begin_round(seats_.back());
            seats_.back().over = !advance(seats_.back());
        }
    }
    find_waiting();
}

Tables::Tables(const TableSettings& settings, const std::vector<Round>& positions, std::array<int, 2> players) : settings_(settings), scores_(positions.size(), kOpen) {
    for (size_t i = 0; i < positions.size(); ++i) {
        const auto place = static_cast<int32_t>(i);
        seats_.push_back({positions[i], players, core::Rng(core::stream_seed(settings.seed, i)), {}, {}, {}, -1, 0, std::nullopt, {}, false, place, {}});
        seats_.back().over = !advance(seats_.back());
    }
    find_waiting();
}

Tables Tables::joined(std::span<const Tables* const> parts) {
    Tables out(parts.front()->settings_);
    for (const Tables* part : parts) {
        const auto base = static_cast<int32_t>(out.scores_.size());
        for (const Seat& seat : part->seats_) {
            out.seats_.push_back(seat);
            out.seats_.back().place += base;
        }
        out.scores_.insert(out.scores_.end(), part->scores_.begin(), part->scores_.end());
    }
    out.find_waiting();
    return out;
}

void Tables::begin_round(Seat& seat) {
    if (seat.match) {
        seat.rng = core::Rng(core::stream_seed(core::stream_seed(match_seed_, static_cast<uint64_t>(seat.pair)), static_cast<uint64_t>(seat.match->rounds())));
        const auto hands = deal(seat.rng);
        seat.round = seat.match->next_round(hands, static_cast<int>(seat.rng.below(kSeats)));
        return;
    }
    const auto hands = deal(seat.rng);
    const int level = static_cast<int>(seat.rng.below(kRanks));
    std::array<int8_t, kSeats> order{0, 1, 2, 3};
    seat.rng.shuffle(order.data(), kSeats);
    seat.round = seat.rng.below(2) ? Round(*settings_.profile, hands, level, order) : Round(*settings_.profile, hands, level, order[0]);
}

void Tables::apply(Seat& seat, const Play& play) {
    seat.round.apply(play);
    seat.round.forget();
    seat.plans.reset();
    ++counts_.moves;
}

bool Tables::advance(Seat& seat) {
    while (true) {
        if (seat.round.is_over()) {
            if (!end_round(seat)) return false;
            continue;
        }
        const int player = seat.players[team_of(seat.round.turn())];
        if (player < kNetwork) {
            apply(seat, player_move(player, seat.round, seat.rng));
        } else if (seat.round.phase() != Phase::Play) {
            if (settings_.exchange && list_gifts(seat)) return true;
            apply(seat, bot_play(kRuleBots, Sight(seat.round, seat.round.turn())));
        } else {
            list_options(seat.round, settings_.weights, seat.options, settings_.varied >> (player - kNetwork) & 1 ? kVariants : 1);
            if (seat.options.size() > 1) {
                if (settings_.facts) add_facts(seat.round, seat.options, settings_.blind >> (player - kNetwork) & 1);
                return true;
            }
            apply(seat, seat.options.plays.front());
        }
    }
}

bool Tables::list_gifts(Seat& seat) const {
    seat.options = {};
    seat.round.legal_plays(seat.options.plays);
    seat.options.pseudo.assign(seat.options.size(), static_cast<uint8_t>(kPassAction));
    return seat.options.size() > 1;
}

bool Tables::end_round(Seat& seat) {
    ++counts_.rounds;
    counts_.points += seat.round.score(0);
    give_returns(seat);
    if (seat.place >= 0) {
        scores_[static_cast<size_t>(seat.place)] = static_cast<int8_t>(seat.round.score(0));
        return false;
    }
    if (seat.match) {
        const int points = seat.round.score(seat.swapped);
        seat.score.points = static_cast<int16_t>(seat.score.points + points);
        ++seat.score.by_score[points + 3];
        seat.match->record(seat.round.status().order);
        if (seat.match->is_over()) {
            const Result mine = seat.swapped ? Result::Odd : Result::Even;
            seat.score.result = seat.match->result() == Result::Draw ? 0 : seat.match->result() == mine ? 1 : -1;
            seat.score.rounds = static_cast<int16_t>(seat.match->rounds());
            finished_.push_back({seat.pair, seat.swapped, seat.score});
            return false;
        }
    }
    begin_round(seat);
    return true;
}

void Tables::find_waiting() {
    waiting_.clear();
    networks_.clear();
    offsets_.assign(1, 0);
    for (int i = 0; i < size(); ++i) {
        const Seat& seat = seats_[i];
        if (seat.over) continue;
        waiting_.push_back(i);
        networks_.push_back(seat.players[team_of(seat.round.turn())] - kNetwork);
        offsets_.push_back(offsets_.back() + static_cast<int32_t>(seat.options.size()));
    }
}

void Tables::observe(uint8_t* rows, uint8_t* open, uint8_t* hidden, uint8_t* pseudo, float* facts, uint8_t* marks) const {
    for (size_t w = 0; w < waiting_.size(); ++w) {
        const Seat& seat = seats_[waiting_[w]];
        const int turn = seat.round.turn();
        if (rows) encode(seat.round, turn, rows + w * kRowSize);
        if (open) encode_open(seat.round, turn, seat.open_plans(), open + w * kOpenSize);
        if (hidden) encode_hidden(seat.round, turn, hidden + w * kEstimateSize);
        const size_t first = static_cast<size_t>(offsets_[w]);
        if (pseudo) std::copy(seat.options.pseudo.begin(), seat.options.pseudo.end(), pseudo + first);
        if (facts && !seat.options.facts.empty()) std::copy(seat.options.facts.begin(), seat.options.facts.end(), facts + first * kFacts);
        if (marks && !seat.options.marks.empty()) std::copy(seat.options.marks.begin(), seat.options.marks.end(), marks + first * kMarks);
    }
}

void Tables::inform(std::span<const int32_t> waiting, const float* estimates) {
    for (const int32_t w : waiting) {
        assert(w >= 0 && static_cast<size_t>(w) < waiting_.size());
        Seat& seat = seats_[waiting_[static_cast<size_t>(w)]];
        add_facts(seat.round, seat.options, false, estimates);
        estimates += kEstimateSize;
    }
}

void Tables::advise(int player, int32_t* choices) {
    for (size_t w = 0; w < waiting_.size(); ++w) {
        Seat& seat = seats_[waiting_[w]];
        const int wanted = pseudo_index(player_move(player, seat.round, seat.rng));
        const auto option = std::find(seat.options.pseudo.begin(), seat.options.pseudo.end(), wanted);
        choices[w] = option == seat.options.pseudo.end() ? -1 : static_cast<int32_t>(option - seat.options.pseudo.begin());
    }
}

void Tables::look_ahead(std::span<const int32_t> options, uint8_t* open, float* sign, float* score) const {
    size_t w = 0;
    for (const int32_t option : options) {
        assert(option >= offsets_[w] && option < offsets_.back());  // in rising order
        while (offsets_[w + 1] <= option) ++w;
        const Seat& seat = seats_[waiting_[w]];
        const int mover = seat.round.turn(), team = team_of(mover);
        const Play& play = seat.options.plays[static_cast<size_t>(option - offsets_[w])];
        Round after = seat.round;
        after.apply(play);
        while (!after.is_over() && after.legal_mask().count() == 1 && !after.is_leading()) after.apply({});
        *score = 0;
        *sign = 0;
        if (after.is_over()) {
            *score = static_cast<float>(after.score(team));
            std::fill(open, open + kOpenSize, uint8_t{0});
        } else {
            *sign = team_of(after.turn()) == team ? 1.0f : -1.0f;
            const OpenPlans& before = seat.open_plans();
            encode_open(after, after.turn(), play.is_pass() ? before : OpenPlans(before, after, mover), open);
        }
        open += kOpenSize;
        ++sign;
        ++score;
    }
}

Tables Tables::branches(std::span<const int32_t> waiting, std::span<const int32_t> options) const {
    assert(waiting.size() == options.size());
    std::vector<Round> positions;
    positions.reserve(waiting.size());
    for (size_t i = 0; i < waiting.size(); ++i) {
        const Seat& seat = seats_[waiting_[static_cast<size_t>(waiting[i])]];
        positions.push_back(seat.round);
        positions.back().apply(seat.options.plays[static_cast<size_t>(options[i])]);
        positions.back().forget();
    }
    return Tables(settings_, positions);
}

void Tables::play(std::span<const int32_t> choices, const float* log_prob, const float* values, const float* worth, bool facts) {
    assert(choices.size() == waiting_.size());
    const bool before = settings_.facts;
    settings_.facts = before && facts;
    for (size_t w = 0; w < waiting_.size(); ++w) {
        Seat& seat = seats_[waiting_[w]];
        assert(choices[w] >= 0 && static_cast<size_t>(choices[w]) < seat.options.size());
        ++counts_.decisions;
        if (log_prob && values && networks_[w] == 0) remember(seat, choices[w], log_prob[w], values[w], worth ? worth + offsets_[w] : nullptr);
        apply(seat, seat.options.plays[static_cast<size_t>(choices[w])]);
        seat.over = !advance(seat);
    }
    settings_.facts = before;
    find_waiting();
}

void Tables::remember(Seat& seat, int choice, float log_prob, float value, const float* worth) {
    const int turn = seat.round.turn();
    Samples& kept = seat.kept;
    const size_t at = seat.memory.size();
    kept.rows.resize((at + 1) * kRowSize);
    kept.open.resize((at + 1) * kOpenSize);
    kept.hidden.resize((at + 1) * kEstimateSize);
    encode(seat.round, turn, kept.rows.data() + at * kRowSize);
    encode_open(seat.round, turn, seat.open_plans(), kept.open.data() + at * kOpenSize);
    encode_hidden(seat.round, turn, kept.hidden.data() + at * kEstimateSize);
    seat.memory.push_back({static_cast<int8_t>(turn), choice, log_prob, value, kept.pseudo.size(), seat.options.size()});
    append(kept.pseudo, seat.options.pseudo.data(), seat.options.size());
    append(kept.facts, seat.options.facts.data(), seat.options.facts.size());
    append(kept.marks, seat.options.marks.data(), seat.options.marks.size());
    for (size_t i = 0; i < seat.options.size(); ++i) kept.worth.push_back(worth ? worth[i] : 0);
}

// Generalised advantage of each seat over its own decisions; the score comes after the last one.
void Tables::give_returns(Seat& seat) {
    std::array<float, kSeats> next_value{}, running{};
    std::array<int16_t, kSeats> left{};
    std::vector<float> advantage(seat.memory.size());
    std::vector<int16_t> remaining(seat.memory.size());
    for (size_t i = seat.memory.size(); i-- > 0;) {
        const Memory& memory = seat.memory[i];
        const int s = memory.seat;
        const float target = left[s]++ == 0 ? static_cast<float>(seat.round.score(s)) : settings_.gamma * next_value[s];
        running[s] = target - memory.value + settings_.gamma * settings_.lambda * running[s];
        advantage[i] = running[s];
        remaining[i] = left[s];
        next_value[s] = memory.value;
    }
    const Samples& kept = seat.kept;
    for (size_t i = 0; i < seat.memory.size(); ++i) {
        const Memory& memory = seat.memory[i];
        samples_.choice.push_back(memory.choice);
        samples_.log_prob.push_back(memory.log_prob);
        samples_.value.push_back(memory.value);
        samples_.advantage.push_back(advantage[i]);
        samples_.left.push_back(remaining[i]);
        samples_.score.push_back(static_cast<int8_t>(seat.round.score(memory.seat)));
        samples_.offsets.push_back(samples_.offsets.back() + static_cast<int32_t>(memory.options));
        append(samples_.pseudo, kept.pseudo.data() + memory.first, memory.options);
        append(samples_.worth, kept.worth.data() + memory.first, memory.options);
        if (settings_.facts) {
            append(samples_.facts, kept.facts.data() + memory.first * kFacts, memory.options * kFacts);
            append(samples_.marks, kept.marks.data() + memory.first * kMarks, memory.options * kMarks);
        }
    }
    append(samples_.rows, kept.rows.data(), seat.memory.size() * kRowSize);
    append(samples_.open, kept.open.data(), seat.memory.size() * kOpenSize);
    append(samples_.hidden, kept.hidden.data(), seat.memory.size() * kEstimateSize);
    seat.kept.clear();
    seat.memory.clear();
}

}  // namespace mingpai::abduction
