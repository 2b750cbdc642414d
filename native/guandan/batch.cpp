#include "native/guandan/batch.hpp"

namespace mingpai::guandan {

uint64_t perft(Round& round, int depth) {
    if (depth == 0 || round.is_over()) return 1;
    std::vector<Play> plays;
    round.legal_plays(plays);
    if (depth == 1) return plays.size();
    uint64_t leaves = 0;
    for (const Play& play : plays) {
        round.apply(play);
        leaves += perft(round, depth - 1);
        round.undo();
    }
    return leaves;
}

RandomPlayStats play_random_rounds(uint64_t rounds, uint64_t seed, core::Budget& budget) {
    RandomPlayStats stats;
    core::Rng rng(seed);
    std::vector<Play> plays;
    while (stats.rounds < rounds && !budget.spend(1)) {
        Round round(kProfiles[0], deal(rng), kTwo, static_cast<int>(rng.below(kSeats)));
        while (!round.is_over()) {
            plays.clear();
            round.legal_plays(plays);
            round.apply(plays[rng.below(static_cast<uint32_t>(plays.size()))]);
            round.forget();
            ++stats.decisions;
        }
        ++stats.rounds;
        ++stats.points[points(round.status().order)];
    }
    return stats;
}

LeadStats count_opening_leads(uint64_t hands, uint64_t seed) {
    LeadStats stats;
    core::Rng rng(seed);
    std::vector<Play> plays;
    for (uint64_t i = 0; i < hands; ++i) {
        const Holding holding(deal(rng)[0], level_rank(static_cast<int>(i % kRanks)));
        plays.clear();
        holding.list_all(holding.lead_mask(), nullptr, plays);
        ++stats.hands[holding.wilds()];
        stats.plays[holding.wilds()] += static_cast<double>(plays.size());
        stats.most = std::max<uint64_t>(stats.most, plays.size());
    }
    return stats;
}

Play player_move(int number, const Round& round, core::Rng& rng) {
    if (number != kRandomPlayer) return bot_play(number, Sight(round, round.turn()));
    std::vector<Play> plays;
    round.legal_plays(plays);
    return plays[rng.below(static_cast<uint32_t>(plays.size()))];
}

namespace {

// Plays a round out; team 0 is played by `even`.
void play_out(Round& round, int even, int odd, core::Rng& rng) {
    while (!round.is_over()) {
        round.apply(player_move(team_of(round.turn()) == 0 ? even : odd, round, rng));
        round.forget();
    }
}

// An order of finishing that could have been: the first, then the others shuffled.
std::array<int8_t, kSeats> any_order(core::Rng& rng) {
    std::array<int8_t, kSeats> order{0, 1, 2, 3};
    rng.shuffle(order.data(), kSeats);
    return order;
}

}  // namespace

std::vector<MatchScore> duel_matches(int a, int b, uint64_t pairs, uint64_t seed, const Profile& profile, core::Budget& budget) {
    std::vector<MatchScore> out;
    for (uint64_t i = 0; i < pairs && !budget.spend(1); ++i) {
        for (int team : {0, 1}) {
            Match match(profile);
            MatchScore score{};
            while (!match.is_over()) {
                core::Rng rng(core::stream_seed(core::stream_seed(seed, i), static_cast<uint64_t>(match.rounds())));
                const auto hands = deal(rng);
                Round round = match.next_round(hands, static_cast<int>(rng.below(kSeats)));
                play_out(round, team == 0 ? a : b, team == 0 ? b : a, rng);
                match.record(round.status().order);
                const int points = round.score(team);
                score.points = static_cast<int16_t>(score.points + points);
                ++score.by_score[points + 3];
            }
            const Result mine = team == 0 ? Result::Even : Result::Odd;
            score.result = match.result() == Result::Draw ? 0 : match.result() == mine ? 1 : -1;
            score.rounds = static_cast<int16_t>(match.rounds());
            out.push_back(score);
        }
    }
    return out;
}

Play default_play(const Round& round, int pseudo) {
    const Cards& hand = round.status().hands[round.turn()];
    const Holding holding(hand, round.level());
    std::vector<Play> plays;
    promising_plays(holding, pseudo, round.is_leading() ? nullptr : &round.status().best, hand, plays);
    return plays.front();
}

Batch::Batch(int size, uint64_t seed, const Profile& profile) : profile_(&profile) {
    for (int i = 0; i < size; ++i) {
        rngs_.emplace_back(core::stream_seed(seed, static_cast<uint64_t>(i)));
        rounds_.emplace_back(profile, std::array<Cards, kSeats>{}, kTwo, 0);
        renew(i);
    }
}

void Batch::renew(int i) {
    core::Rng& rng = rngs_[i];
    const auto hands = deal(rng);
    const int level = static_cast<int>(rng.below(kRanks));
    const auto order = any_order(rng);
    rounds_[i] = rng.below(2) ? Round(*profile_, hands, level, order) : Round(*profile_, hands, level, order[0]);
    while (rounds_[i].phase() != Phase::Play) rounds_[i].apply(bot_play(kRuleBots, Sight(rounds_[i], rounds_[i].turn())));
    rounds_[i].forget();
}

bool Batch::step(const int32_t* pseudo, int8_t* scores) {
    for (int i = 0; i < size(); ++i) {
        if (pseudo[i] < 0 || pseudo[i] >= kPseudoActions || !rounds_[i].legal_mask().test(pseudo[i])) return false;
    }
    for (int i = 0; i < size(); ++i) play(i, default_play(rounds_[i], pseudo[i]), scores);
    return true;
}

bool Batch::step(const Play* plays, int8_t* scores) {
    for (int i = 0; i < size(); ++i) {
        if (rounds_[i].why_illegal(plays[i])) return false;
    }
    for (int i = 0; i < size(); ++i) play(i, plays[i], scores);
    return true;
}

void Batch::play(int i, const Play& play, int8_t* scores) {
    rounds_[i].apply(play);
    rounds_[i].forget();
    scores[i] = 0;
    if (!rounds_[i].is_over()) return;
    scores[i] = static_cast<int8_t>(rounds_[i].score(0));
    renew(i);
}

void Batch::choose(int player, int32_t* pseudo) {
    for (int i = 0; i < size(); ++i) pseudo[i] = pseudo_index(player_move(player, rounds_[i], rngs_[i]));
}

}  // namespace mingpai::guandan
