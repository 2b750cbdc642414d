#include "native/holdem/equity.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "native/holdem/sampler.hpp"
#include "native/holdem/tally.hpp"

namespace mingpai::holdem {

namespace {

constexpr uint64_t kBlock = 1024;        // samples with a random stream of their own
constexpr uint64_t kMinWalks = 16;       // walks, so that their spread tells the error
constexpr uint64_t kWalkSteps = 4096;    // of one walk
constexpr uint64_t kRoundBlocks = 4096;  // results kept at once
constexpr int kRejectionTries = 512;     // to start a walk exactly in its distribution
constexpr int kWarmUp = 64;              // whole redraws, where that fails
constexpr uint64_t kWholeRedraw = 64;    // steps between two proposals of a whole new deal,
constexpr uint64_t kNarrowRedraw = 8;    // and where a range is narrow, so that single hands hardly move
constexpr int kNarrow = 64;
constexpr int kWalkPlayers = 4;          // unknown hands from which on kAuto walks
constexpr size_t kMaxDeals = 200'000;    // hands of all players, beyond which enumeration is not tried
constexpr size_t kExactTasks = 512;

// Runs task(0) .. task(count - 1) on some threads; the order of running is free, so tasks write to places of their own.
void run_tasks(size_t count, int threads, const std::function<void(size_t)>& task) {
    if (threads <= 1 || count <= 1) {
        for (size_t i = 0; i < count; ++i) task(i);
        return;
    }
    std::atomic<size_t> next{0};
    const auto work = [&] {
        for (size_t i; (i = next.fetch_add(1)) < count;) task(i);
    };
    std::vector<std::thread> pool;
    for (size_t i = 1; i < std::min<size_t>(static_cast<size_t>(threads), count); ++i) pool.emplace_back(work);
    work();
    for (std::thread& thread : pool) thread.join();
}

double choose(int n, int k) {
    double out = 1;
    for (int i = 0; i < k; ++i) out = out * (n - i) / (i + 1);
    return out;
}

void verify_weights(const float* weights, int players) {
    constexpr float kMaxWeight = 1e30f;
    bool is_valid = true;
    for (size_t i = 0; i < static_cast<size_t>(players) * kCombos; ++i) is_valid &= weights[i] >= 0 && weights[i] <= kMaxWeight;
    if (!is_valid) throw std::invalid_argument("a range weight is negative, too large or not a number");
}

void verify_query(const EquityQuery& query) {
    if (query.players < 2 || query.players > kMaxPlayers) throw std::invalid_argument("equity takes 2 to 10 players");
    const int board = core::popcount(query.board);
    if (board != 0 && (board < 3 || board > kBoardCards)) throw std::invalid_argument("a board has 0, 3, 4 or 5 cards");
    if ((query.board | query.dead) & ~kDeck) throw std::invalid_argument("a card set holds a card outside the deck");
    if (query.board & query.dead) throw std::invalid_argument("a dead card is on the board");
    verify_weights(query.weights, query.players);
}

[[noreturn]] void throw_exhausted() { throw std::runtime_error("the budget ended before the equity was known"); }

// ---- exact ----------------------------------------------------------------------------------------------------------

// All boards for one deal of hands.
class BoardWalk {
  public:
    BoardWalk(int players, CardSet board, CardSet dead, const Hands& hands)
        : evaluator_(Evaluator::get()), players_(players), hands_(hands), board_(board),
          missing_(kBoardCards - core::popcount(board)) {
        for (CardSet left = board; left; left &= left - 1) board_code_ += kCardCodes[core::lowest(left)];
        for (CardSet live = kDeck & ~(board | dead | hands.used); live; live &= live - 1) {
            live_[live_count_++] = static_cast<Card>(core::lowest(live));
        }
    }
    // Boards whose first new card (in the order of the deck) is the `first`-th live one; all of them for first < 0.
    void run(int first, Tally<uint64_t>& tally) const {
        if (missing_ == 0) {
            if (first <= 0) leaf(board_code_, board_, tally);
        } else if (first < 0) {
            step(missing_, 0, board_code_, board_, tally);
        } else if (first < live_count_) {
            const Card card = live_[first];
            step(missing_ - 1, first + 1, board_code_ + kCardCodes[card], board_ | bit_of(card), tally);
        }
    }
    int live_count() const { return live_count_; }

  private:
    void step(int missing, int from, uint64_t code, CardSet board, Tally<uint64_t>& tally) const {
        if (missing == 0) return leaf(code, board, tally);
        for (int i = from; i <= live_count_ - missing; ++i) {
            step(missing - 1, i + 1, code + kCardCodes[live_[i]], board | bit_of(live_[i]), tally);
        }
    }
    void leaf(uint64_t code, CardSet board, Tally<uint64_t>& tally) const {
        const uint32_t winners = winners_of(evaluator_, players_, hands_.codes.data(), hands_.sets.data(), code, board);
        record<uint64_t>(tally, winners, 1);
    }

    const Evaluator& evaluator_;
    int players_;
    const Hands& hands_;
    CardSet board_;
    int missing_;
    uint64_t board_code_ = kEmptyHand;
    std::array<Card, kCards> live_{};
    int live_count_ = 0;
};

using SuitMap = std::array<int, kSuits>;
using Deal = std::array<uint16_t, kMaxPlayers>;

Card map_card(Card card, const SuitMap& suits) { return static_cast<Card>(rank_of(card) * kSuits + suits[suit_of(card)]); }

CardSet map_set(CardSet set, const SuitMap& suits) {
    CardSet out = 0;
    for (; set; set &= set - 1) out |= bit_of(map_card(static_cast<Card>(core::lowest(set)), suits));
    return out;
}

// The exchanges of suits that leave the board and the dead cards as they are: they leave equities as they are, too.
std::vector<std::vector<uint16_t>> suit_symmetries(CardSet board, CardSet dead) {
    std::vector<std::vector<uint16_t>> maps;
    SuitMap suits = {0, 1, 2, 3};
    do {
        if (map_set(board, suits) != board || map_set(dead, suits) != dead) continue;
        std::vector<uint16_t> map(kCombos);
        for (int i = 0; i < kCombos; ++i) {
            map[i] = static_cast<uint16_t>(combo_of(map_card(kComboCards[i].low, suits), map_card(kComboCards[i].high, suits)));
        }
        maps.push_back(std::move(map));
    } while (std::next_permutation(suits.begin(), suits.end()));
    return maps;
}

// Every deal of hands from the ranges with its probability, deals that differ by an exchange of suits taken together.
class DealList {
  public:
    DealList(const DealSampler& sampler, CardSet board, CardSet dead)
        : sampler_(sampler), symmetries_(suit_symmetries(board, dead)) {
        Deal deal{};
        list(0, deal, 0, 1.0);
    }
    bool is_complete() const { return seen_ <= kMaxDeals; }
    const std::map<Deal, double>& deals() const { return deals_; }

  private:
    void list(int player, Deal& deal, CardSet used, double weight) {
        if (!is_complete()) return;
        if (player == sampler_.players()) {
            ++seen_;
            deals_[canonical(deal)] += weight;
            return;
        }
        const RangeTable& range = sampler_.range(player);
        for (int i = 0; i < range.size(); ++i) {
            const CardSet set = kComboCards[range.combo(i)].set();
            if (set & used) continue;
            deal[player] = static_cast<uint16_t>(range.combo(i));
            list(player + 1, deal, used | set, weight * range.probability(i));
        }
    }
    Deal canonical(const Deal& deal) const {
        Deal best = deal;
        for (const auto& map : symmetries_) {
            Deal mapped{};
            for (int p = 0; p < sampler_.players(); ++p) mapped[p] = map[deal[p]];
            best = std::min(best, mapped);
        }
        return best;
    }

    const DealSampler& sampler_;
    std::vector<std::vector<uint16_t>> symmetries_;
    std::map<Deal, double> deals_;
    size_t seen_ = 0;
};

EquityResult exact_result(const Tally<double>& tally, double total, int players, uint64_t samples) {
    EquityResult result;
    result.players = players;
    result.samples = samples;
    result.effective_samples = static_cast<double>(samples);
    for (int p = 0; p < players; ++p) {
        result.equities[p] = tally.share(p) / total;
        result.wins[p] = tally.winners[p][1] / total;
        result.ties[p] = tally.tied(p) / total;
    }
    return result;
}

EquityResult enumerate_deals(const DealList& list, const EquityQuery& query, int threads, core::Budget& budget) {
    const std::vector<std::pair<Deal, double>> deals(list.deals().begin(), list.deals().end());
    // Few deals are cut by the first card of the board as well.
    const size_t cuts = deals.size() < kExactTasks / kCards ? kCards : 1;
    const size_t tasks = std::min(deals.size() * cuts, kExactTasks);
    std::vector<Tally<double>> tallies(tasks);
    run_tasks(tasks, threads, [&](size_t task) {
        for (size_t item = task; item < deals.size() * cuts; item += tasks) {
            if (budget.is_exhausted()) return;
            const auto& [deal, weight] = deals[item / cuts];
            Hands hands{};
            for (int p = 0; p < query.players; ++p) {
                hands.put(p, deal[p]);
                hands.used |= hands.sets[p];
            }
            const BoardWalk boards(query.players, query.board, query.dead, hands);
            Tally<uint64_t> tally;
            boards.run(cuts == 1 ? -1 : static_cast<int>(item % cuts), tally);
            tallies[task].add(tally, weight);
            const double all = choose(boards.live_count(), kBoardCards - core::popcount(query.board));
            budget.spend(static_cast<uint64_t>(all / static_cast<double>(cuts)));
        }
    });
    if (budget.is_exhausted()) throw_exhausted();
    Tally<double> sum;
    for (const auto& tally : tallies) sum.add(tally, 1.0);
    const int live = kCards - core::popcount(query.board | query.dead) - 2 * query.players;
    const double boards = choose(live, kBoardCards - core::popcount(query.board));
    double weight = 0;
    for (const auto& [deal, w] : deals) weight += w;
    return exact_result(sum, weight * boards, query.players, static_cast<uint64_t>(static_cast<double>(deals.size()) * boards));
}

// A range on one full board, sorted by rank.
class RankedRange {
  public:
    struct Entry {
        HandRank rank;
        uint16_t combo;
        float weight;
    };

    explicit RankedRange(const RangeTable& range) : range_(range) {}

    void rank_on(CardSet board) {
        const Evaluator& evaluator = Evaluator::get();
        uint64_t code = kEmptyHand;
        for (CardSet left = board; left; left &= left - 1) code += kCardCodes[core::lowest(left)];
        count_ = 0;
        weights_.fill(0);
        for (int i = 0; i < range_.size(); ++i) {
            const int combo = range_.combo(i);
            const Combo cards = kComboCards[combo];
            if (cards.set() & board) continue;
            const uint64_t hand = code + kCardCodes[cards.low] + kCardCodes[cards.high];
            weights_[combo] = range_.probability(i);
            const HandRank rank = evaluator.rank<kMaxHand>(hand, board | cards.set());
            entries_[count_++] = {rank, static_cast<uint16_t>(combo), range_.probability(i)};
        }
        sort_by_byte(0, entries_, other_);
        sort_by_byte(8, other_, entries_);
    }
    const Entry* begin() const { return entries_.data(); }
    const Entry* end() const { return entries_.data() + count_; }
    float weight(int combo) const { return weights_[combo]; }

  private:
    using Entries = std::array<Entry, kCombos>;
    void sort_by_byte(int shift, const Entries& from, Entries& to) const {
        std::array<uint32_t, 257> starts{};
        for (int i = 0; i < count_; ++i) ++starts[((from[i].rank >> shift) & 255) + 1];
        for (int i = 1; i < 257; ++i) starts[i] += starts[i - 1];
        for (int i = 0; i < count_; ++i) to[starts[(from[i].rank >> shift) & 255]++] = from[i];
    }

    const RangeTable& range_;
    int count_ = 0;
    Entries entries_, other_;
    std::array<float, kCombos> weights_;
};

// Weight of a set of hands, in all and by card.
struct Mass {
    double all = 0;
    std::array<double, kCards> by_card{};
    void add(const RankedRange::Entry& entry) {
        const Combo cards = kComboCards[entry.combo];
        all += entry.weight;
        by_card[cards.low] += entry.weight;
        by_card[cards.high] += entry.weight;
    }
    double avoiding(Combo cards) const { return all - by_card[cards.low] - by_card[cards.high]; }
};

// Each hand of a sorted range against the weight of the other that lies below it and level with it, minus what shares a
// card with it: visit(entry, below, level).
template <class Visit>
void meet(const RankedRange& mine, const RankedRange& theirs, Visit&& visit) {
    Mass below, upto;
    const RankedRange::Entry *b = theirs.begin(), *u = theirs.begin();
    for (const RankedRange::Entry& entry : mine) {
        while (b != theirs.end() && b->rank < entry.rank) below.add(*b++);
        while (u != theirs.end() && u->rank <= entry.rank) upto.add(*u++);
        const Combo cards = kComboCards[entry.combo];
        const double won = below.avoiding(cards);
        // The same two cards rank the same, so they count among the level hands, and were taken off twice.
        visit(entry, won, upto.avoiding(cards) + theirs.weight(entry.combo) - won);
    }
}

// All boards that complete `board`.
std::vector<CardSet> list_boards(CardSet board, CardSet dead) {
    assert(core::popcount(board) <= kBoardCards && !(board & dead));
    std::vector<CardSet> boards;
    const std::function<void(CardSet, int)> list = [&](CardSet partial, int from) {
        if (core::popcount(partial) == kBoardCards) return boards.push_back(partial);
        for (int card = from; card < kCards; ++card) {
            const CardSet bit = bit_of(static_cast<Card>(card));
            if (!((partial | dead) & bit)) list(partial | bit, card + 1);
        }
    };
    list(board, 0);
    return boards;
}

EquityResult enumerate_duel(const DealSampler& sampler, const EquityQuery& query, int threads, core::Budget& budget) {
    const std::vector<CardSet> boards = list_boards(query.board, query.dead);
    const size_t tasks = std::min(boards.size(), kExactTasks);
    std::vector<Tally<double>> tallies(tasks);
    std::vector<double> totals(tasks);
    run_tasks(tasks, threads, [&](size_t task) {
        RankedRange sides[] = {RankedRange(sampler.range(0)), RankedRange(sampler.range(1))};
        for (size_t i = task; i < boards.size() && !budget.is_exhausted(); i += tasks) {
            for (RankedRange& side : sides) side.rank_on(boards[i]);
            for (int side = 0; side < 2; ++side) {
                meet(sides[side], sides[1 - side], [&](const RankedRange::Entry& entry, double below, double level) {
                    tallies[task].winners[side][1] += entry.weight * below;
                    tallies[task].winners[side][2] += entry.weight * level;
                    totals[task] += entry.weight * (below + level / 2);
                });
            }
            budget.spend(static_cast<uint64_t>(sampler.range(0).size() + sampler.range(1).size()));
        }
    });
    if (budget.is_exhausted()) throw_exhausted();
    Tally<double> sum;
    double total = 0;
    for (size_t i = 0; i < tasks; ++i) {
        sum.add(tallies[i], 1.0);
        total += totals[i];
    }
    if (!(total > 0)) throw std::invalid_argument("the ranges leave no possible deal");
    return exact_result(sum, total, 2, boards.size());
}

// ---- samples --------------------------------------------------------------------------------------------------------

// What one block of samples found. For a walk all weights are 1.
struct Block {
    Tally<double> weights, squared_weights;
    double weight = 0, squared_weight = 0;
    uint64_t samples = 0;
};

Block sample_independent(const DealSampler& sampler, uint64_t samples, uint64_t seed) {
    const Evaluator& evaluator = Evaluator::get();
    core::Rng rng(seed);
    Block block;
    block.samples = samples;
    Hands hands;
    for (uint64_t i = 0; i < samples; ++i) {
        const double weight = sampler.draw(hands, rng);
        if (weight == 0) continue;
        CardSet board;
        const uint64_t code = sampler.draw_board(hands.used, board, rng);
        const uint32_t winners = winners_of(evaluator, sampler.players(), hands.codes.data(), hands.sets.data(), code, board);
        record(block.weights, winners, weight);
        record(block.squared_weights, winners, weight * weight);
        block.weight += weight;
        block.squared_weight += weight * weight;
    }
    return block;
}

// Metropolis-Hastings with whole deals as proposals: reaches every possible deal, also where no single hand can change.
void propose_deal(const DealSampler& sampler, Hands& hands, double& weight, core::Rng& rng) {
    Hands proposal;
    const double proposed = sampler.draw(proposal, rng);
    if (proposed > 0 && (proposed >= weight || rng.uniform() * weight < proposed)) {
        hands = proposal;
        weight = proposed;
    }
}

// False when no deal was found.
bool start_walk(const DealSampler& sampler, Hands& hands, core::Rng& rng) {
    if (sampler.draw_by_rejection(hands, rng, kRejectionTries)) return true;
    double weight = 0;
    for (int i = 0; i < kWarmUp; ++i) propose_deal(sampler, hands, weight, rng);
    return weight > 0;
}

bool has_narrow_range(const DealSampler& sampler) {
    const auto& order = sampler.order();
    return std::any_of(order.begin(), order.end(), [&](int p) { return sampler.range(p).size() < kNarrow; });
}

Block sample_walk(const DealSampler& sampler, uint64_t samples, uint64_t seed) {
    const Evaluator& evaluator = Evaluator::get();
    core::Rng rng(seed);
    Block block;
    Hands hands;
    if (!start_walk(sampler, hands, rng)) return block;
    WinnerCounts counts;
    const auto& order = sampler.order();
    const uint64_t interval = has_narrow_range(sampler) ? kNarrowRedraw : kWholeRedraw;
    size_t turn = 0;
    for (uint64_t i = 0; i < samples; ++i) {
        if (!order.empty()) {
            if (i % interval == interval - 1) {
                double weight = sampler.weight_of(hands);
                propose_deal(sampler, hands, weight, rng);
            }
            sampler.redraw(hands, order[turn], rng);
            turn = turn + 1 == order.size() ? 0 : turn + 1;
        }
        CardSet board;
        const uint64_t code = sampler.draw_board(hands.used, board, rng);
        counts.add(winners_of(evaluator, sampler.players(), hands.codes.data(), hands.sets.data(), code, board));
    }
    block.samples = samples;
    block.weight = block.squared_weight = static_cast<double>(samples);
    block.weights.add(counts.tally(), 1.0);
    block.squared_weights = block.weights;
    return block;
}

// Adds up blocks in their order and knows the errors.
class Estimate {
  public:
    Estimate(int players, bool is_walk) : players_(players), is_walk_(is_walk) {}

    void add(const Block& block) {
        sum_.weights.add(block.weights, 1.0);
        sum_.squared_weights.add(block.squared_weights, 1.0);
        sum_.weight += block.weight;
        sum_.squared_weight += block.squared_weight;
        sum_.samples += block.samples;
        if (block.weight == 0) return;
        ++blocks_;
        squared_size_ += block.weight * block.weight;
        for (int p = 0; p < players_; ++p) {
            const double share = block.weights.share(p);
            shares_[p].size_share += block.weight * share;
            shares_[p].squared_share += share * share;
        }
    }
    bool has_answer() const { return sum_.weight > 0; }

    EquityResult result() const {
        EquityResult result;
        result.players = players_;
        result.method = is_walk_ ? EquityMethod::kWalk : EquityMethod::kIndependent;
        result.samples = sum_.samples;
        double variance = 0, squared_errors = 0;
        for (int p = 0; p < players_; ++p) {
            const double mean = sum_.weights.share(p) / sum_.weight;
            result.equities[p] = mean;
            result.wins[p] = sum_.weights.winners[p][1] / sum_.weight;
            result.ties[p] = sum_.weights.tied(p) / sum_.weight;
            const double error = is_walk_ ? walk_variance(p, mean) : independent_variance(p, mean);
            result.standard_errors[p] = std::sqrt(error);
            variance += sum_.weights.squares(p) / sum_.weight - mean * mean;
            squared_errors += error;
        }
        result.effective_samples = squared_errors > 0 ? variance / squared_errors : sum_.weight * sum_.weight / sum_.squared_weight;
        return result;
    }

  private:
    // Of a ratio of weighted sums: sum of (weight * deviation)^2 over the squared sum of weights.
    double independent_variance(int p, double mean) const {
        double squares = sum_.squared_weight * mean * mean;
        for (int k = 1; k <= kMaxPlayers; ++k) {
            squares += sum_.squared_weights.winners[p][k] * ((1.0 / k - mean) * (1.0 / k - mean) - mean * mean);
        }
        return std::max(0.0, squares) / (sum_.weight * sum_.weight);
    }
    // Walks are independent of each other: the spread of their sums around the mean, whatever the correlation inside.
    double walk_variance(int p, double mean) const {
        if (blocks_ < 2) return 0;
        const double squares = shares_[p].squared_share - 2 * mean * shares_[p].size_share + mean * mean * squared_size_;
        const double correction = static_cast<double>(blocks_) / static_cast<double>(blocks_ - 1);
        return std::max(0.0, squares) * correction / (sum_.weight * sum_.weight);
    }

    struct Spread {
        double size_share = 0, squared_share = 0;
    };
    int players_;
    bool is_walk_;
    Block sum_;
    uint64_t blocks_ = 0;
    double squared_size_ = 0;
    std::array<Spread, kMaxPlayers> shares_{};
};

EquityResult sample(const DealSampler& sampler, const EquitySettings& settings, bool is_walk, core::Budget& budget) {
    const uint64_t samples = std::max<uint64_t>(settings.samples, is_walk ? kMinWalks : 1);
    const uint64_t size = is_walk ? std::clamp<uint64_t>(samples / kMinWalks, 1, kWalkSteps) : kBlock;
    const uint64_t blocks = (samples + size - 1) / size;
    Estimate estimate(sampler.players(), is_walk);
    const auto reached = [&](const EquityResult& result) {
        return *std::max_element(result.standard_errors.begin(), result.standard_errors.end()) <= settings.target_error;
    };
    std::vector<Block> results;
    bool is_reached = settings.target_error <= 0;
    for (uint64_t done = 0; done < blocks;) {
        // With a target, rounds double what has been drawn; their sizes do not depend on the number of threads.
        const uint64_t round = settings.target_error > 0 ? std::max(done, kMinWalks) : blocks;
        const uint64_t count = std::min({round, blocks - done, kRoundBlocks});
        results.assign(count, {});
        run_tasks(count, settings.threads, [&](size_t i) {
            if (budget.is_exhausted()) return;
            const uint64_t index = done + i;
            const uint64_t want = std::min(size, samples - index * size);
            const uint64_t seed = core::stream_seed(settings.seed, index);
            results[i] = is_walk ? sample_walk(sampler, want, seed) : sample_independent(sampler, want, seed);
            budget.spend(want);
        });
        for (const Block& block : results) estimate.add(block);
        done += count;
        if (settings.target_error > 0 && estimate.has_answer() && reached(estimate.result())) {
            is_reached = true;
            break;
        }
        if (budget.is_exhausted()) {
            is_reached = false;
            break;
        }
    }
    if (!estimate.has_answer()) {
        if (budget.is_exhausted()) throw_exhausted();
        throw std::invalid_argument("no possible deal was found for these ranges");
    }
    EquityResult result = estimate.result();
    result.reached_target = is_reached;
    return result;
}

// Hands to rank for an enumeration board by board of two ranges.
double duel_work(const DealSampler& sampler, const EquityQuery& query) {
    constexpr double kSorting = 4;  // a hand ranked and sorted costs as much as so many hands ranked
    const int live = kCards - core::popcount(query.board | query.dead);
    return choose(live, kBoardCards - core::popcount(query.board)) * (sampler.range(0).size() + sampler.range(1).size()) * kSorting;
}

}  // namespace

EquityResult equity(const EquityQuery& query, const EquitySettings& settings, core::Budget& budget) {
    verify_query(query);
    const DealSampler sampler(query.players, query.weights, query.board, query.dead);
    if (settings.method == EquityMethod::kWalk) return sample(sampler, settings, true, budget);
    if (settings.method == EquityMethod::kIndependent) return sample(sampler, settings, false, budget);

    // Exact if that is cheap enough, by the cheaper of two ways.
    const double limit = settings.method == EquityMethod::kExact ? 1e300 : settings.exact_work;
    double combinations = 1;
    for (int p = 0; p < query.players; ++p) combinations *= sampler.range(p).size();
    const int live = kCards - core::popcount(query.board | query.dead) - 2 * query.players;
    const double boards = choose(live, kBoardCards - core::popcount(query.board));
    const double duel = query.players == 2 ? duel_work(sampler, query) : 1e300;
    constexpr double kSymmetry = kSuits * 3 * 2;
    std::unique_ptr<DealList> list;
    double deals = 1e300;
    if (combinations <= kMaxDeals && combinations / kSymmetry * boards * query.players <= std::min(limit, duel)) {
        list = std::make_unique<DealList>(sampler, query.board, query.dead);
        if (list->deals().empty()) throw std::invalid_argument("the ranges leave no possible deal");
        deals = static_cast<double>(list->deals().size()) * boards * query.players;
    }
    if (std::min(deals, duel) <= limit && std::min(deals, duel) < 1e300) {
        return deals <= duel ? enumerate_deals(*list, query, settings.threads, budget)
                             : enumerate_duel(sampler, query, settings.threads, budget);
    }
    if (settings.method == EquityMethod::kExact) throw std::invalid_argument("too many deals to enumerate");
    // A walk is faster the more hands stay as they are, if single hands can move freely.
    const bool is_walk = static_cast<int>(sampler.order().size()) >= kWalkPlayers && !has_narrow_range(sampler);
    return sample(sampler, settings, is_walk, budget);
}

}  // namespace mingpai::holdem
