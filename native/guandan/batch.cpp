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
        ++stats.points[points(round.table().order)];
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

}  // namespace mingpai::guandan
