// Everything the search asks of a hand, computed once for each sub-hand of a player's root hand.
//
// A sub-hand is a number: the counts of its ranks in mixed radix, digit r running from 0 to the root's count of rank r. The
// number is linear in the cards, so playing a move subtracts the move's number. Moves come from the rules engine alone and
// are kept by class: a move is answered by a higher rank of its own class, and bombs (the rocket is the highest) answer all.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "native/doudizhu/cards.hpp"
#include "native/doudizhu/move.hpp"
#include "native/doudizhu/movegen.hpp"
#include "native/doudizhu/rules.hpp"

namespace mingpai::endgame {

using doudizhu::Hand;
using doudizhu::Move;
using doudizhu::RankMask;
using doudizhu::Rules;
using doudizhu::Type;

// Move classes: a type and a length. kNoClass stands for a free lead.
using Class = uint8_t;
inline constexpr Class kNoClass = 0, kSingle = 1, kPair = 2, kTriple = 3, kTripleSingle = 4, kTriplePair = 5,
                       kFourSingles = 6, kFourPairs = 7, kBomb = 8, kFirstChain = 9;

// The chain types and the lengths that fit into the largest hand.
struct ChainKind {
    Type type;
    int shortest, longest;
};
inline constexpr ChainKind kChainKinds[] = {
    {Type::Straight, doudizhu::kMinStraight, doudizhu::kChainRanks},
    {Type::PairStraight, doudizhu::kMinPairStraight, doudizhu::kMaxHandCards / 2},
    {Type::Airplane, doudizhu::kMinAirplane, doudizhu::kMaxHandCards / 3},
    {Type::AirplaneSingles, doudizhu::kMinAirplane, doudizhu::kMaxHandCards / 4},
    {Type::AirplanePairs, doudizhu::kMinAirplane, doudizhu::kMaxHandCards / 5},
    {Type::FourStraight, doudizhu::kMinFourStraight, doudizhu::kMaxHandCards / 4},
    {Type::FourStraightSingles, doudizhu::kMinFourStraight, doudizhu::kMaxHandCards / 6},
    {Type::FourStraightPairs, doudizhu::kMinFourStraight, doudizhu::kMaxHandCards / 8},
};
constexpr int count_classes() {
    int total = kFirstChain;
    for (const ChainKind& kind : kChainKinds) total += kind.longest - kind.shortest + 1;
    return total;
}
inline constexpr int kClasses = count_classes();

Class class_of(Type type, int length);
inline Class class_of(const Move& move) { return class_of(move.type, move.length); }
// Cards of a move of the class.
int size_of_class(Class cls);
// The move that these cards are in a class, its rank as compared within the class.
Move move_of(Hand cards, Class cls, int rank);

// One move of a sub-hand, as the search uses it.
struct HandMove {
    uint32_t number;  // of its cards: subtract it from the number of the hand
    Class cls;
    uint8_t rank;  // compared within the class; the rocket has the highest rank in class kBomb
    uint8_t size;  // cards
    bool is_wasteful;  // dominated by the same move with other kickers, for a player who has no mate to feed
};

struct Finish {
    Class cls;
    uint8_t rank;
};

struct HandInfo {
    // The readings of one set of cards as a move.
    static constexpr int kMaxFinishes = doudizhu::Readings::kCapacity;

    Hand cards;
    const HandMove* moves;
    uint16_t ranks[kClasses];      // for each class, the ranks of its moves as bits
    uint16_t first[kClasses + 1];  // for each class, where its moves begin
    uint16_t held, ones, twos;     // ranks held; held exactly once; exactly twice
    uint16_t isolated;             // ranks in no chain of this hand
    uint8_t size;                  // cards
    bool has_chain;
    uint8_t finish_count;
    Finish finishes[kMaxFinishes];  // moves that play the whole hand

    bool has_rocket() const { return (held >> doudizhu::kSmallJoker) == 3; }
    bool is_one_move() const { return finish_count > 0; }
    int move_count() const { return first[kClasses]; }
};

// Where the kicker rules leave a player free to raise an isolated group of cards to a higher rank without losing a move.
struct Raising {
    bool pairs = false;            // two cards of a rank may always be two kickers
    bool onto_held = false;        // any number of cards of a rank may
    bool to_second_joker = false;  // both jokers may be kickers together

    static Raising under(const Rules& rules);
};

// The sub-hands of one player, built on demand. One thread at a time.
class HandTable {
  public:
    void reset(Hand root, const Rules& rules);
    // Drops all sub-hands and gives their memory back; the numbers stay.
    void forget();

    uint32_t number_of(Hand hand) const;
    Hand hand_of(uint32_t number) const;
    uint32_t size() const { return size_; }  // how many numbers there are
    const Raising& raising() const { return raising_; }
    uint32_t stride(int rank) const { return strides_[rank]; }  // the number of one card
    // Ranks of which the root hand has at least so many cards, one or two.
    RankMask root_ranks(int copies) const { return copies == 1 ? root_ones_ : root_twos_; }
    const HandInfo& operator[](uint32_t number) {
        const HandInfo* info = infos_[number];
        return info ? *info : build(number);
    }
    // An estimate of the moves needed to play the hand out, for move ordering only.
    int turns(uint32_t number) {
        const uint8_t known = turns_[number];
        return known ? known - 1 : estimate_turns(number);
    }
    size_t bytes() const { return arena_.bytes() + infos_.capacity() * (sizeof(HandInfo*) + 1); }

  private:
    class Arena {
      public:
        template <class T>
        T* take(size_t count) {
            return static_cast<T*>(take_bytes(count * sizeof(T)));
        }
        void reset() { block_ = 0, offset_ = 0; }
        void free() { blocks_.clear(), reset(); }
        size_t bytes() const { return blocks_.size() * kBlock; }

      private:
        static constexpr size_t kBlock = size_t{1} << 18, kAlign = 8;
        void* take_bytes(size_t bytes);
        std::vector<std::unique_ptr<std::byte[]>> blocks_;
        size_t block_ = 0, offset_ = 0;
    };

    void drop_infos();
    const HandInfo& build(uint32_t number);
    int estimate_turns(uint32_t number);
    int turns_without_chains(Hand hand) const;
    bool is_wasteful(Hand hand, RankMask isolated, const Move& move) const;

    Rules rules_{};
    Raising raising_{};
    uint32_t size_ = 0;
    uint32_t strides_[doudizhu::kRanks] = {};
    uint8_t radixes_[doudizhu::kRanks] = {};
    RankMask root_ones_ = 0, root_twos_ = 0;
    std::vector<const HandInfo*> infos_;
    std::vector<uint8_t> turns_;
    std::vector<uint32_t> built_, estimated_;
    doudizhu::MoveList moves_;
    Arena arena_;
};

// The answer of a hand to (cls, rank): its own class from `threshold` up, or bombs; kNoClass when it has none.
struct Reply {
    Class cls = kNoClass;
    uint8_t threshold = 0;
    explicit operator bool() const { return cls != kNoClass; }
    friend bool operator==(const Reply&, const Reply&) = default;
};

inline Reply reply_to(const HandInfo& hand, Class cls, int rank) {
    const uint32_t higher = static_cast<uint32_t>(hand.ranks[cls]) >> (rank + 1);
    if (higher) return {cls, static_cast<uint8_t>(rank + 1 + std::countr_zero(higher))};
    if (cls != kBomb && hand.ranks[kBomb]) return {kBomb, static_cast<uint8_t>(std::countr_zero(hand.ranks[kBomb]))};
    return {};
}

// Can the hand go out on (cls, threshold)?
inline bool can_finish(const HandInfo& hand, Class cls, int threshold) {
    for (int i = 0; i < hand.finish_count; ++i) {
        const Finish& f = hand.finishes[i];
        if (f.cls == cls ? f.rank >= threshold : f.cls == kBomb) return true;
    }
    return false;
}

}  // namespace mingpai::endgame
