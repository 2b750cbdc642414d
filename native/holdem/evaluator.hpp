// The rank of the best five of five, six or seven cards.
//
// A hand is one 64-bit sum of its cards' codes. The low half adds one number for each rank, chosen so that every multiset
// of ranks of one size has its own sum; the high half counts the suits. A flush shows as a bit of the high half and is
// looked up by the ranks of its suit; any other hand by its sum, in a table whose rows are slid over one another
// (row displacement), so that it stays in the cache.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "native/holdem/cards.hpp"

namespace mingpai::holdem {

// Larger is stronger, equal is a tie. The category is rank >> kCategoryShift; the rest orders the hands of a category densely.
using HandRank = uint16_t;

enum class Category : uint8_t {
    kHighCard, kPair, kTwoPair, kTrips, kStraight, kFlush, kFullHouse, kQuads, kStraightFlush,
};

inline constexpr int kCategoryShift = 12;
inline constexpr int kCategories = 9;
inline constexpr int kMinHand = 5, kMaxHand = 7;

inline Category category_of(HandRank rank) { return static_cast<Category>(rank >> kCategoryShift); }

// The smallest increasing numbers whose sums over equally large multisets, of at most seven cards and at most four of a
// rank, all differ: found greedily, each the smallest that the earlier ones allow (tests/games/holdem checks the sums).
inline constexpr std::array<uint32_t, kRanks> kRankKeys = {0,     1,     5,      22,     98,     453,    2031,
                                                           8698, 22854, 83661, 262349, 636345, 1479181};

inline constexpr int kSuitShift = 32;
inline constexpr int kSuitBits = 4;
// Each suit's counter starts at 3, so that its top bit is set from five cards on.
inline constexpr uint64_t kEmptyHand = 0x3333ULL << kSuitShift;
inline constexpr uint64_t kFlushBits = 0x8888ULL << kSuitShift;

constexpr uint64_t code_of(Card card) {
    return kRankKeys[rank_of(card)] + (uint64_t{1} << (kSuitShift + kSuitBits * suit_of(card)));
}

constexpr std::array<uint64_t, kCards> make_card_codes() {
    std::array<uint64_t, kCards> codes{};
    for (int card = 0; card < kCards; ++card) codes[card] = code_of(static_cast<Card>(card));
    return codes;
}

// The sum of the codes of the cards of a hand, plus kEmptyHand once.
inline constexpr std::array<uint64_t, kCards> kCardCodes = make_card_codes();

constexpr bool is_flush(uint64_t code) { return (code & kFlushBits) != 0; }
// Whether the cards hold three of a suit, so that two more may make a flush.
constexpr bool has_three_of_suit(uint64_t code) { return is_flush(code + (0x2222ULL << kSuitShift)); }

class Evaluator {
  public:
    // Built at the first call (a few milliseconds), shared by all threads. Hot loops take the reference once.
    static const Evaluator& get();

    // `code` sums `kSize` cards; `set` is looked at only for a flush.
    template <int kSize>
    HandRank rank(uint64_t code, CardSet set) const {
        if (is_flush(code)) [[unlikely]] return flush_rank(code, set);
        return plain_rank<kSize>(code);
    }

    // The rank by multiplicities and straights alone: right when no suit has five cards.
    template <int kSize>
    HandRank plain_rank(uint64_t code) const {
        static_assert(kMinHand <= kSize && kSize <= kMaxHand);
        const Ranking& table = tables_[kSize - kMinHand];
        const uint32_t key = static_cast<uint32_t>(code);
        return table.ranks[static_cast<uint32_t>(key + table.offsets[key >> kRowShift])];
    }

    HandRank flush_rank(uint64_t code, CardSet set) const {
        const int suit = (core::lowest(code & kFlushBits) - kSuitShift) / kSuitBits;
        return flushes_[ranks_in_suit(set, suit)];
    }

    // The sum of the codes of `kSize` cards that lie one after another, two at a time; kEmptyHand included.
    template <int kSize>
    uint64_t code_of_hand(const Card* cards) const {
        uint64_t code = kEmptyHand;
        for (int i = 0; i + 1 < kSize; i += 2) {
            uint16_t pair;  // in whatever byte order: both orders of two cards have the same code
            std::memcpy(&pair, cards + i, sizeof pair);
            code += pair_codes_[pair];
        }
        return kSize % 2 ? code + kCardCodes[cards[kSize - 1]] : code;
    }

    // The rank of a set of five to seven cards.
    HandRank rank_set(CardSet set) const;

    // How many ranks each category has, for reports: 1277, 2860, 858, 858, 10, 1277, 156, 156, 10.
    const std::array<int, kCategories>& category_sizes() const { return category_sizes_; }
    size_t bytes() const;

  private:
    static constexpr int kRowShift = 10;

    struct Ranking {
        std::vector<HandRank> ranks;
        std::vector<uint32_t> offsets;  // added to the key, modulo 2^32
    };

    Evaluator();

    std::array<Ranking, kMaxHand - kMinHand + 1> tables_;
    std::array<HandRank, 1 << kRanks> flushes_{};
    static constexpr int kPairShift = 8;  // a card is a byte
    std::array<uint64_t, kCards << kPairShift> pair_codes_{};
    std::array<int, kCategories> category_sizes_{};
};

// Ranks of `count` hands of `size` cards each, stored one after another. Returns `count`, or the index of the first hand
// that holds a card twice or a number that is no card.
size_t rank_hands(const Card* cards, int size, size_t count, HandRank* out);

// Counts the categories of all hands of `size` cards from the deck: the exhaustive check of the tables.
std::array<uint64_t, kCategories> count_categories(int size);

// Ranks random seven-card hands in a loop and returns a checksum: the benchmark of the evaluator alone. `hands` holds
// `count` times seven cards, known to be valid.
uint64_t rank_checksum(const Card* hands, size_t count, int rounds);

}  // namespace mingpai::holdem
