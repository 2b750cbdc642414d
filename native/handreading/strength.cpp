#include "native/handreading/strength.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "native/core/rng.hpp"

namespace mingpai::handreading {

using namespace holdem;

namespace {

struct Ranked {
    HandRank rank;
    uint16_t combo;
};

constexpr int kRadixBits = 8;
constexpr int kRadixSize = 1 << kRadixBits;

// Two counting passes order the combinations by rank, weakest first.
void sort_by_rank(Ranked* items, Ranked* spare, int count) {
    for (int shift = 0; shift < 16; shift += kRadixBits) {
        std::array<int, kRadixSize + 1> starts{};
        for (int i = 0; i < count; ++i) ++starts[((items[i].rank >> shift) & (kRadixSize - 1)) + 1];
        for (int d = 0; d < kRadixSize; ++d) starts[d + 1] += starts[d];
        for (int i = 0; i < count; ++i) spare[starts[(items[i].rank >> shift) & (kRadixSize - 1)]++] = items[i];
        std::swap(items, spare);
    }
}

template <int kSize>
int rank_combos(CardSet board, Ranked* out) {
    const Evaluator& evaluator = Evaluator::get();
    uint64_t board_code = kEmptyHand;
    for (CardSet left = board; left; left &= left - 1) board_code += kCardCodes[core::lowest(left)];
    int count = 0;
    for (int combo = 0; combo < kCombos; ++combo) {
        const Combo cards = kComboCards[combo];
        if (board & cards.set()) continue;
        const uint64_t code = board_code + kCardCodes[cards.low] + kCardCodes[cards.high];
        out[count++] = {evaluator.rank<kSize>(code, board | cards.set()), static_cast<uint16_t>(combo)};
    }
    return count;
}

int rank_combos(CardSet board, Ranked* out) {
    switch (core::popcount(board)) {
        case 3: return rank_combos<5>(board, out);
        case 4: return rank_combos<6>(board, out);
        default: return rank_combos<7>(board, out);
    }
}

class Sweep {
  public:
    // Calls `take(combo, share)` for every live combination.
    template <typename Take>
    void run(CardSet board, Take take) {
        const int count = rank_combos(board, items_.data());
        sort_by_rank(items_.data(), spare_.data(), count);
        const int unseen = kCards - core::popcount(board);
        const float rivals = static_cast<float>((unseen - 2) * (unseen - 3) / 2);
        // Combinations with each card that are weaker than, or level with, the group at hand.
        std::array<int, kCards> below{}, level{};
        for (int start = 0; start < count;) {
            int end = start;
            for (; end < count && items_[end].rank == items_[start].rank; ++end) count_cards(level, items_[end].combo);
            for (int i = start; i < end; ++i) {
                const Combo cards = kComboCards[items_[i].combo];
                const int wins = start - below[cards.low] - below[cards.high];
                // The combination itself is counted once in each of its two cards.
                const int ties = (end - start) - level[cards.low] - level[cards.high] + 1;
                take(items_[i].combo, (static_cast<float>(wins) + 0.5F * static_cast<float>(ties)) / rivals);
            }
            for (; start < end; ++start) {
                count_cards(below, items_[start].combo);
                level[kComboCards[items_[start].combo].low] = level[kComboCards[items_[start].combo].high] = 0;
            }
        }
    }

  private:
    static void count_cards(std::array<int, kCards>& counts, int combo) {
        ++counts[kComboCards[combo].low];
        ++counts[kComboCards[combo].high];
    }

    std::array<Ranked, kCombos> items_, spare_;
};

// `count` full boards drawn independently.
std::vector<CardSet> random_boards(int count, uint64_t seed) {
    core::Rng rng(seed);
    std::vector<CardSet> boards(count);
    for (CardSet& board : boards) {
        while (core::popcount(board) < kBoardCards) board |= bit_of(static_cast<Card>(rng.below(kCards)));
    }
    return boards;
}

// All completions of a board, or `limit` of them drawn without replacement.
std::vector<CardSet> completions(CardSet board, int limit, uint64_t seed) {
    if (board == 0) return random_boards(limit, seed);
    std::vector<CardSet> all;
    const int missing = kBoardCards - core::popcount(board);
    for (int a = 0; a < kCards; ++a) {
        if (board & bit_of(static_cast<Card>(a))) continue;
        if (missing == 1) all.push_back(board | bit_of(static_cast<Card>(a)));
        if (missing != 2) continue;
        for (int b = 0; b < a; ++b) {
            if (!(board & bit_of(static_cast<Card>(b)))) all.push_back(board | bit_of(static_cast<Card>(a)) | bit_of(static_cast<Card>(b)));
        }
    }
    if (static_cast<int>(all.size()) <= limit) return all;
    core::Rng rng(seed);
    for (int i = 0; i < limit; ++i) std::swap(all[i], all[i + rng.below(static_cast<uint32_t>(all.size() - i))]);
    all.resize(limit);
    return all;
}

int highest_rank(CardSet set) {
    int rank = -1;
    for (CardSet left = set; left; left &= left - 1) rank = std::max(rank, rank_of(static_cast<Card>(core::lowest(left))));
    return rank;
}

int pair_rank(CardSet set) {
    for (int rank = kRanks - 1; rank >= 0; --rank) {
        if (core::popcount((set >> (rank * kSuits)) & 0xF) >= 2) return rank;
    }
    return -1;
}

HandClass class_of(Category category, CardSet cards) {
    if (category == Category::kHighCard) return highest_rank(cards) >= kBigHighRank ? HandClass::kBigHighCard : HandClass::kSmallHighCard;
    if (category == Category::kPair) return pair_rank(cards) >= kBigPairRank ? HandClass::kBigPair : HandClass::kSmallPair;
    constexpr int kSplit = static_cast<int>(HandClass::kTwoPair) - static_cast<int>(Category::kTwoPair);
    return static_cast<HandClass>(static_cast<int>(category) + kSplit);
}

}  // namespace

HandClass hand_class(CardSet hand, CardSet board) {
    const CardSet cards = hand | board;
    if (board == 0) return class_of(pair_rank(hand) >= 0 ? Category::kPair : Category::kHighCard, hand);
    return class_of(category_of(Evaluator::get().rank_set(cards)), cards);
}

float hand_equity(CardSet hand, CardSet board, int samples, core::Rng& rng) {
    const Evaluator& evaluator = Evaluator::get();
    const bool is_exact = core::popcount(board) == kBoardCards;
    std::array<Card, kCards> deck;
    uint32_t left = 0;
    for (int card = 0; card < kCards; ++card) {
        if (!((hand | board) >> card & 1)) deck[left++] = static_cast<Card>(card);
    }
    double won = 0;
    int count = 0;
    const auto compare = [&](CardSet full, CardSet other) {
        const HandRank own = evaluator.rank_set(full | hand), rival = evaluator.rank_set(full | other);
        won += own > rival ? 1.0 : own == rival ? 0.5 : 0.0;
        ++count;
    };
    if (is_exact) {
        for (uint32_t a = 1; a < left; ++a) {
            for (uint32_t b = 0; b < a; ++b) compare(board, bit_of(deck[a]) | bit_of(deck[b]));
        }
    } else {
        const uint32_t drawn = static_cast<uint32_t>(kBoardCards - core::popcount(board)) + 2;
        for (int sample = 0; sample < samples; ++sample) {
            for (uint32_t i = 0; i < drawn; ++i) std::swap(deck[i], deck[i + rng.below(left - i)]);
            CardSet full = board;
            for (uint32_t i = 2; i < drawn; ++i) full |= bit_of(deck[i]);
            compare(full, bit_of(deck[0]) | bit_of(deck[1]));
        }
    }
    return static_cast<float>(won / count);
}

int outs(CardSet hand, CardSet board, float gain, int samples, uint64_t seed) {
    core::Rng rng(seed);
    const float before = hand_equity(hand, board, samples * 4, rng);
    int count = 0;
    for (CardSet left = kDeck & ~(hand | board); left; left &= left - 1) {
        const CardSet next = board | (left & ~(left - 1));
        count += hand_equity(hand, next, samples, rng) - before >= gain * (1 - before);
    }
    return count;
}

Strengths strengths(CardSet board, int runouts, uint64_t seed) {
    Strengths out{};
    Sweep sweep;
    for (int combo = 0; combo < kCombos; ++combo) {
        const CardSet hand = kComboCards[combo].set();
        if (hand & board) continue;
        out.is_live[combo] = 1;
        out.classes[combo] = static_cast<uint8_t>(hand_class(hand, board));
    }
    if (board) sweep.run(board, [&](int combo, float share) { out.now[combo] = share; });
    if (core::popcount(board) == kBoardCards) {
        out.equity = out.now;
        return out;
    }
    std::array<float, kCombos> squares{};
    std::array<int, kCombos> counts{};
    for (const CardSet full : completions(board, runouts, seed)) {
        sweep.run(full, [&](int combo, float share) {
            out.equity[combo] += share;
            squares[combo] += share * share;
            ++counts[combo];
        });
    }
    for (int combo = 0; combo < kCombos; ++combo) {
        if (counts[combo] == 0) continue;
        const float n = static_cast<float>(counts[combo]);
        const float mean = out.equity[combo] / n;
        out.equity[combo] = mean;
        out.spread[combo] = std::sqrt(std::max(0.0F, squares[combo] / n - mean * mean));
    }
    if (board == 0) out.now = out.equity;
    return out;
}

}  // namespace mingpai::handreading
