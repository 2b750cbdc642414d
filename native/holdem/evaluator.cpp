#include "native/holdem/evaluator.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace mingpai::holdem {

namespace {

constexpr int kStraight = 5;
constexpr uint32_t kWheel = 0b1000000001111;  // A 5 4 3 2

using RankCounts = std::array<int, kRanks>;

// A five-card hand as one number that orders hands: the category, then the ranks by importance.
uint32_t pack(Category category, const std::array<int, 5>& ranks) {
    uint32_t packed = static_cast<uint32_t>(category);
    for (int rank : ranks) packed = packed << 4 | static_cast<uint32_t>(rank);
    return packed;
}

constexpr int kPackedRankBits = 20;
int category_of_packed(uint32_t packed) { return static_cast<int>(packed >> kPackedRankBits); }

// The rank of the highest card of the best straight, or -1.
int straight_top(uint32_t ranks) {
    for (int top = kRanks - 1; top >= kStraight - 1; --top) {
        const uint32_t run = 0b11111u << (top - (kStraight - 1));
        if ((ranks & run) == run) return top;
    }
    return (ranks & kWheel) == kWheel ? 3 : -1;
}

// The `count` highest ranks of a set of ranks, from `first` on.
void take_highest(uint32_t ranks, std::array<int, 5>& out, int first, int count) {
    for (int i = 0; i < count; ++i) {
        const int rank = core::highest(ranks);
        out[first + i] = rank;
        ranks ^= 1u << rank;
    }
}

uint32_t pack_flush(uint32_t ranks) {
    if (const int top = straight_top(ranks); top >= 0) return pack(Category::kStraightFlush, {top});
    std::array<int, 5> best{};
    take_highest(ranks, best, 0, 5);
    return pack(Category::kFlush, best);
}

// The best five cards by multiplicities and straights.
uint32_t pack_plain(const RankCounts& counts) {
    std::array<uint32_t, kSuits + 1> at_least{};  // ranks held at least that often
    for (int rank = 0; rank < kRanks; ++rank) {
        for (int n = 1; n <= counts[rank]; ++n) at_least[n] |= 1u << rank;
    }
    std::array<int, 5> best{};
    const auto without = [&](uint32_t set, int rank) { return set & ~(1u << rank); };
    if (at_least[4]) {
        best[0] = core::highest(at_least[4]);
        best[1] = core::highest(without(at_least[1], best[0]));
        return pack(Category::kQuads, best);
    }
    if (at_least[3]) {
        best[0] = core::highest(at_least[3]);
        if (const uint32_t pairs = without(at_least[2], best[0])) {
            best[1] = core::highest(pairs);
            return pack(Category::kFullHouse, best);
        }
    }
    if (const int top = straight_top(at_least[1]); top >= 0) return pack(Category::kStraight, {top});
    if (at_least[3]) {
        take_highest(without(at_least[1], best[0]), best, 1, 2);
        return pack(Category::kTrips, best);
    }
    if (!at_least[2]) {
        take_highest(at_least[1], best, 0, 5);
        return pack(Category::kHighCard, best);
    }
    best[0] = core::highest(at_least[2]);
    const uint32_t rest = without(at_least[1], best[0]);
    if (const uint32_t pairs = without(at_least[2], best[0])) {
        best[1] = core::highest(pairs);
        best[2] = core::highest(without(rest, best[1]));
        return pack(Category::kTwoPair, best);
    }
    take_highest(rest, best, 1, 3);
    return pack(Category::kPair, best);
}

struct PlainHand {
    uint32_t key, packed;
};

// All multisets of `left` more cards from `rank` down, at most four of a rank.
void list_hands(int rank, int left, uint32_t key, RankCounts& counts, std::vector<PlainHand>& out) {
    if (left == 0) {
        out.push_back({key, pack_plain(counts)});
        return;
    }
    if (rank < 0 || left > kSuits * (rank + 1)) return;
    for (int n = 0; n <= std::min(left, kSuits); ++n) {
        counts[rank] = n;
        list_hands(rank - 1, left - n, key + static_cast<uint32_t>(n) * kRankKeys[rank], counts, out);
    }
    counts[rank] = 0;
}

// The slots of a table under construction, grown as needed.
class Slots {
  public:
    // The first place at or after the first free slot where a row of keys, counted from its first, fits.
    uint32_t first_fit(const std::vector<uint32_t>& row) {
        while (word(first_free_word_) == ~uint64_t{0}) ++first_free_word_;
        for (uint32_t start = first_free_word_ * 64;; start += 64) {
            uint64_t blocked = 0;  // bit i: the row does not fit at start + i
            for (size_t i = 0; i < row.size() && blocked != ~uint64_t{0}; ++i) blocked |= window(start + row[i] - row.front());
            if (blocked != ~uint64_t{0}) return start + static_cast<uint32_t>(core::lowest(~blocked));
        }
    }
    void take(uint32_t slot) {
        if (words_.size() <= slot / 64) words_.resize(slot / 64 + 1);
        words_[slot / 64] |= uint64_t{1} << slot % 64;
        size_ = std::max(size_, slot + 1);
    }
    uint32_t size() const { return size_; }

  private:
    uint64_t word(uint32_t index) const { return index < words_.size() ? words_[index] : 0; }
    // 64 slots from `slot` on.
    uint64_t window(uint32_t slot) const {
        const uint32_t index = slot / 64, shift = slot % 64;
        return shift ? word(index) >> shift | word(index + 1) << (64 - shift) : word(index);
    }
    std::vector<uint64_t> words_;
    uint32_t first_free_word_ = 0, size_ = 0;
};

// Slides each row of keys to the first place where it fits, the fullest rows first. Returns the offset of each row.
std::vector<uint32_t> place_rows(const std::vector<std::vector<uint32_t>>& rows, uint32_t& size) {
    std::vector<uint32_t> order(rows.size()), offsets(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return rows[a].size() > rows[b].size(); });
    Slots slots;
    for (uint32_t index : order) {
        const std::vector<uint32_t>& row = rows[index];
        if (row.empty()) break;
        offsets[index] = slots.first_fit(row) - row.front();
        for (uint32_t key : row) slots.take(key + offsets[index]);
    }
    size = slots.size();
    return offsets;
}

template <int kSize, class Visit>
void visit_sets(Visit&& visit, int last, uint64_t code, CardSet set) {
    if constexpr (kSize == 0) {
        visit(code, set);
    } else {
        for (int card = kSize - 1; card < last; ++card) {
            visit_sets<kSize - 1>(visit, card, code + kCardCodes[card], set | bit_of(static_cast<Card>(card)));
        }
    }
}

template <int kSize>
std::array<uint64_t, kCategories> count_of_size() {
    const Evaluator& evaluator = Evaluator::get();
    std::array<uint64_t, kCategories> counts{};
    visit_sets<kSize>(
        [&](uint64_t code, CardSet set) { ++counts[evaluator.rank<kSize>(code, set) >> kCategoryShift]; }, kCards,
        kEmptyHand, 0);
    return counts;
}

template <int kSize>
size_t rank_hands_of_size(const Card* cards, size_t count, HandRank* out) {
    const Evaluator& evaluator = Evaluator::get();
    for (size_t i = 0; i < count; ++i, cards += kSize) {
        CardSet set = 0;
        int highest = 0;
        for (int j = 0; j < kSize; ++j) {
            highest = std::max<int>(highest, cards[j]);
            set |= CardSet{1} << (cards[j] & 63);
        }
        if (highest >= kCards || core::popcount(set) != kSize) return i;
        out[i] = evaluator.rank<kSize>(evaluator.code_of_hand<kSize>(cards), set);
    }
    return count;
}

uint64_t code_of_set(CardSet set) {
    uint64_t code = kEmptyHand;
    for (; set; set &= set - 1) code += kCardCodes[core::lowest(set)];
    return code;
}

}  // namespace

Evaluator::Evaluator() {
    // 1. Every hand of ranks, for each size, and every flush, as ordered numbers.
    std::array<std::vector<PlainHand>, kMaxHand - kMinHand + 1> hands;
    std::vector<uint32_t> packed;
    for (int size = kMinHand; size <= kMaxHand; ++size) {
        RankCounts counts{};
        auto& list = hands[size - kMinHand];
        list_hands(kRanks - 1, size, 0, counts, list);
        for (const PlainHand& hand : list) packed.push_back(hand.packed);
    }
    std::vector<uint32_t> flushes(flushes_.size());
    for (uint32_t ranks = 0; ranks < flushes_.size(); ++ranks) {
        if (core::popcount(ranks) < kMinHand) continue;
        flushes[ranks] = pack_flush(ranks);
        packed.push_back(flushes[ranks]);
    }

    // 2. Dense numbers within each category, from 0.
    std::sort(packed.begin(), packed.end());
    packed.erase(std::unique(packed.begin(), packed.end()), packed.end());
    std::array<int, kCategories> first{};
    for (uint32_t value : packed) ++category_sizes_[category_of_packed(value)];
    std::exclusive_scan(category_sizes_.begin(), category_sizes_.end(), first.begin(), 0);
    const auto rank_of_packed = [&](uint32_t value) {
        const int category = category_of_packed(value);
        const auto position = std::lower_bound(packed.begin(), packed.end(), value) - packed.begin();
        return static_cast<HandRank>((category << kCategoryShift) + (position - first[category]));
    };

    // 3. The tables.
    for (int a = 0; a < kCards; ++a) {
        for (int b = 0; b < kCards; ++b) pair_codes_[a << kPairShift | b] = kCardCodes[a] + kCardCodes[b];
    }
    for (uint32_t ranks = 0; ranks < flushes_.size(); ++ranks) {
        if (flushes[ranks]) flushes_[ranks] = rank_of_packed(flushes[ranks]);
    }
    for (int size = kMinHand; size <= kMaxHand; ++size) {
        auto& list = hands[size - kMinHand];
        std::sort(list.begin(), list.end(), [](const PlainHand& a, const PlainHand& b) { return a.key < b.key; });
        std::vector<std::vector<uint32_t>> rows((list.back().key >> kRowShift) + 1);
        for (const PlainHand& hand : list) rows[hand.key >> kRowShift].push_back(hand.key);
        Ranking& table = tables_[size - kMinHand];
        uint32_t slots = 0;
        table.offsets = place_rows(rows, slots);
        table.ranks.resize(slots);
        for (const PlainHand& hand : list) {
            table.ranks[hand.key + table.offsets[hand.key >> kRowShift]] = rank_of_packed(hand.packed);
        }
    }
}

const Evaluator& Evaluator::get() {
    static const Evaluator evaluator;
    return evaluator;
}

HandRank Evaluator::rank_set(CardSet set) const {
    const uint64_t code = code_of_set(set);
    switch (core::popcount(set)) {
        case 5: return rank<5>(code, set);
        case 6: return rank<6>(code, set);
        default: assert(core::popcount(set) == kMaxHand); return rank<7>(code, set);
    }
}

size_t Evaluator::bytes() const {
    size_t total = sizeof flushes_ + sizeof pair_codes_;
    for (const Ranking& table : tables_) {
        total += table.ranks.size() * sizeof table.ranks[0] + table.offsets.size() * sizeof table.offsets[0];
    }
    return total;
}

size_t rank_hands(const Card* cards, int size, size_t count, HandRank* out) {
    switch (size) {
        case 5: return rank_hands_of_size<5>(cards, count, out);
        case 6: return rank_hands_of_size<6>(cards, count, out);
        default: assert(size == kMaxHand); return rank_hands_of_size<7>(cards, count, out);
    }
}

std::array<uint64_t, kCategories> count_categories(int size) {
    switch (size) {
        case 5: return count_of_size<5>();
        case 6: return count_of_size<6>();
        default: assert(size == kMaxHand); return count_of_size<7>();
    }
}

uint64_t rank_checksum(const Card* hands, size_t count, int rounds) {
    const Evaluator& evaluator = Evaluator::get();
    uint64_t sum = 0;
    for (int round = 0; round < rounds; ++round) {
        const Card* cards = hands;
        for (size_t i = 0; i < count; ++i, cards += kMaxHand) {
            const uint64_t code = evaluator.code_of_hand<kMaxHand>(cards);
            CardSet set = 0;
            if (is_flush(code)) [[unlikely]] {
                for (int j = 0; j < kMaxHand; ++j) set |= bit_of(cards[j]);
            }
            sum += evaluator.rank<kMaxHand>(code, set);
        }
    }
    return sum;
}

}  // namespace mingpai::holdem
