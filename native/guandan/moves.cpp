#include "native/guandan/moves.hpp"

#include <span>

namespace mingpai::guandan {
namespace {

constexpr uint64_t kNibbles = 0x1111111111111111ULL;
constexpr uint32_t kRankMask = (1u << kRanks) - 1;
constexpr int kMaxNaturals = kSuits * kCopies;

// Counts of bits in each nibble.
uint64_t nibble_counts(uint64_t x) {
    x -= (x >> 1) & 0x5555555555555555ULL;
    return (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
}

// Sub-multisets of the cards of one rank. A rank's cards are a byte: low nibble the suits held once or more, high nibble
// those held twice. The subsets of `held` with n cards are items[begin[held][n]] .. items[begin[held][n + 1]].
struct SubsetTable {
    static constexpr int kStates = 256;
    static constexpr int kItems = 1296;  // (1 + 2 + 3) ^ 4: sub-multisets over all ways to hold 0, 1 or 2 of each suit
    std::array<std::array<uint16_t, kMaxNaturals + 2>, kStates> begin{};
    std::array<uint8_t, kItems> items{};

    constexpr SubsetTable() {
        int used = 0;
        for (int held = 0; held < kStates; ++held) {
            if ((held >> 4) & ~held & 15) continue;  // held twice but not once: no such hand
            for (int n = 0; n <= kMaxNaturals; ++n) {
                begin[held][n] = static_cast<uint16_t>(used);
                used = append(held, n, used);
            }
            begin[held][kMaxNaturals + 1] = static_cast<uint16_t>(used);
        }
    }
    constexpr int append(int held, int n, int used) {
        for (int part = 0; part < kStates; ++part) {
            const bool fits = !(part & ~held) && !((part >> 4) & ~part & 15);
            if (fits && bits(part) == n) items[used++] = static_cast<uint8_t>(part);
        }
        return used;
    }
    static constexpr int bits(int x) {
        int n = 0;
        for (; x; x &= x - 1) ++n;
        return n;
    }
};
constexpr SubsetTable kSubsets;

std::span<const uint8_t> subsets(const Cards& held, int rank, int n) {
    const int shift = kSuits * rank;
    const auto state = (held.once >> shift & 15) | (held.twice >> shift & 15) << 4;
    const auto& begin = kSubsets.begin[state];
    return {kSubsets.items.data() + begin[n], kSubsets.items.data() + begin[n + 1]};
}
Cards at_rank(uint8_t subset, int rank) {
    const int shift = kSuits * rank;
    return {static_cast<uint64_t>(subset & 15) << shift, static_cast<uint64_t>(subset >> 4) << shift};
}
// No kind of `b` is in `a`: the sum is a plain union.
Cards unite(const Cards& a, const Cards& b) { return {a.once | b.once, a.twice | b.twice}; }

// Thirteen rank bits with A again on top, so that windows may end in A.
uint32_t with_high_ace(uint32_t ranks) { return ranks | (ranks & 1) << kRanks; }
constexpr uint32_t low_bits(int n) { return (1u << n) - 1; }

struct AboveTable {
    std::array<std::array<uint16_t, kOrders>, kRanks> ranks{};
    constexpr AboveTable() {
        for (int level = 0; level < kRanks; ++level) {
            for (int order = 0; order < kOrders; ++order) {
                for (int rank = 0; rank < kPlayRanks; ++rank) {
                    if (order_of(rank, level) > order) ranks[level][order] |= static_cast<uint16_t>(1 << rank);
                }
            }
        }
    }
};
constexpr AboveTable kAbove;

}  // namespace

uint32_t ranks_above(int order, int level) { return kAbove.ranks[level][order]; }

Holding::Holding(const Cards& hand, int level, bool either) : wild_bit_(1ULL << wild_kind(level)), level_(level), either_(either) {
    wilds_ = hand.count(wild_kind(level));
    small_ = hand.count(kSmallJoker);
    big_ = hand.count(kBigJoker);
    const uint64_t keep = kSuitedKinds & ~wild_bit_;
    natural_ = {hand.once & keep, hand.twice & keep};
    counts_ = nibble_counts(natural_.once) + nibble_counts(natural_.twice);
    for (int suit = 0; suit < kSuits; ++suit) suit_ranks_[suit] = core::gather_nibbles(natural_.once >> suit);
}

uint32_t Holding::at_least(int n) const {
    if (n <= 0) return kRankMask;
    // A count of n or more carries into the top bit of its nibble.
    return core::gather_nibbles((counts_ + (8 - static_cast<uint64_t>(n)) * kNibbles) >> 3) & kRankMask;
}

// --- first layer: masks -----------------------------------------------------------------------------------------------

uint32_t Holding::groups(int k) const {
    const uint32_t level_bit = wilds_ >= k ? 1u << level_ : 0;  // wild cards alone are level cards
    return at_least(std::max(k - wilds_, 1)) | level_bit;
}

uint32_t Holding::joker_ranks(int copies) const {
    return (small_ >= copies ? 1u << kRankSmall : 0) | (big_ >= copies ? 1u << kRankBig : 0);
}

uint32_t Holding::plates() const {
    // can[m]: ranks that make a triple with at most m wild cards; a window is sound if the slots' needs fit together.
    uint32_t can[kCopies + 1];
    for (int m = 0; m <= kCopies; ++m) can[m] = with_high_ace(at_least(3 - m));
    uint32_t out = 0;
    for (int first = 0; first <= wilds_; ++first) out |= can[first] & can[wilds_ - first] >> 1;
    return out & low_bits(kPlateStarts);
}

uint32_t Holding::tubes() const {
    uint32_t can[kCopies + 1];
    for (int m = 0; m <= kCopies; ++m) can[m] = with_high_ace(at_least(2 - m));
    uint32_t out = 0;
    for (int first = 0; first <= wilds_; ++first) {
        for (int second = 0; first + second <= wilds_; ++second) {
            out |= can[first] & can[second] >> 1 & can[wilds_ - first - second] >> 2;
        }
    }
    return out & low_bits(kTubeStarts);
}

uint32_t Holding::full_houses() const {
    uint32_t out = 0;
    for (int used = 0; used <= wilds_; ++used) {
        const int left = wilds_ - used;
        uint32_t pairs = at_least(std::max(2 - left, 1)) | joker_ranks(2);
        if (left >= 2) pairs |= 1u << level_;
        if (!pairs) continue;
        const bool lone = (pairs & (pairs - 1)) == 0;
        out |= at_least(3 - used) & ~(lone ? pairs : 0);
    }
    return out;
}

uint32_t Holding::straights() const {
    const uint32_t held = with_high_ace(at_least(1));
    uint32_t alone[kSuits];  // ranks held in this suit only
    for (int suit = 0; suit < kSuits; ++suit) {
        uint32_t others = 0;
        for (int other = 0; other < kSuits; ++other) others |= other == suit ? 0 : suit_ranks_[other];
        alone[suit] = with_high_ace(suit_ranks_[suit] & ~others);
    }
    uint32_t out = 0;
    for (int start = 0; start < kRunStarts; ++start) {
        const uint32_t present = held & low_bits(kRunLength) << start;
        if (core::popcount(present) + wilds_ < kRunLength) continue;
        bool flush = false;  // one suit only: that is a straight flush, not a straight
        for (uint32_t suited : alone) flush |= (present & ~suited) == 0;
        if (!flush || (either_ && wilds_)) out |= 1u << start;
    }
    return out;
}

uint32_t Holding::straight_flushes() const {
    uint32_t out = 0;
    for (uint32_t ranks : suit_ranks_) {
        ranks = with_high_ace(ranks);
        for (int start = 0; start < kRunStarts; ++start) {
            const int present = core::popcount(ranks & low_bits(kRunLength) << start);
            if (present + wilds_ >= kRunLength) out |= 1u << start;
        }
    }
    return out;
}

void Holding::put_bombs(Mask& mask, const Play* target) const {
    const int floor = target ? bomb_class(target->type, target->size) : 0;
    const uint32_t above = floor ? ranks_above(order_of(target->rank, level_), level_) & kRankMask : kRankMask;
    for (int size = kMinBomb; size <= kMaxBomb; ++size) {
        const int mine = bomb_class(Type::Bomb, size);
        if (mine < floor || size - wilds_ > kMaxNaturals) continue;
        mask.put(pseudo_index(Type::Bomb, 0, size), at_least(size - wilds_) & (mine > floor ? kRankMask : above));
    }
    const int flush = bomb_class(Type::StraightFlush, 0);
    if (flush >= floor) {
        const uint32_t higher = flush > floor ? low_bits(kRunStarts) : ~low_bits(target->rank + 1);
        mask.put(block_of(Type::StraightFlush), straight_flushes() & higher);
    }
    if (small_ == kCopies && big_ == kCopies && floor < bomb_class(Type::JokerBomb, 0)) mask.set(block_of(Type::JokerBomb));
}

bool Holding::is_one_play() const {
    const int size = natural_.size() + wilds_ + small_ + big_;
    const int natural = size - wilds_;
    if (size >= kMinBomb && natural <= kMaxNaturals && natural > 0 && at_least(natural)) return true;
    switch (size) {
        case 1: return true;
        case 2: return groups(2) || joker_ranks(2);
        case 3: return groups(3) != 0;
        case 4: return small_ == kCopies && big_ == kCopies;
        case kRunLength: return full_houses() || straights() || straight_flushes();
        case 3 * kPlateSlots: return plates() || tubes();
        default: return false;
    }
}

Mask Holding::lead_mask() const {
    Mask mask;
    mask.put(block_of(Type::Single), groups(1) | joker_ranks(1));
    mask.put(block_of(Type::Pair), groups(2) | joker_ranks(2));
    mask.put(block_of(Type::Triple), groups(3));
    mask.put(block_of(Type::Plate), plates());
    mask.put(block_of(Type::Tube), tubes());
    mask.put(block_of(Type::FullHouse), full_houses());
    mask.put(block_of(Type::Straight), straights());
    put_bombs(mask, nullptr);
    return mask;
}

Mask Holding::follow_mask(const Play& target) const {
    Mask mask;
    mask.set(kPassAction);
    put_bombs(mask, &target);
    uint32_t own = 0;
    switch (target.type) {
        case Type::Single: own = groups(1) | joker_ranks(1); break;
        case Type::Pair: own = groups(2) | joker_ranks(2); break;
        case Type::Triple: own = groups(3); break;
        case Type::Plate: own = plates(); break;
        case Type::Tube: own = tubes(); break;
        case Type::FullHouse: own = full_houses(); break;
        case Type::Straight: own = straights(); break;
        default: return mask;
    }
    const uint32_t above =
        is_sequence(target.type) ? ~low_bits(target.rank + 1) : ranks_above(order_of(target.rank, level_), level_);
    mask.put(block_of(target.type), own & above);
    return mask;
}

// --- second layer: concrete plays --------------------------------------------------------------------------------------

void Holding::list_group(Type type, int rank, int size, std::vector<Play>& out) const {
    Play play{type, static_cast<uint8_t>(rank), static_cast<uint8_t>(size), 0, static_cast<uint8_t>(level_), {}};
    if (rank >= kRanks) {
        const uint64_t bit = 1ULL << (kSmallJoker + rank - kRanks);
        play.cards = {bit, size == kCopies ? bit : 0};
        out.push_back(play);
        return;
    }
    for (int wild = 0; wild <= std::min(wilds_, size); ++wild) {
        const int natural = size - wild;
        if (natural > kMaxNaturals || (natural == 0 && rank != level_)) continue;
        play.wilds = static_cast<uint8_t>(wild);
        for (uint8_t part : subsets(natural_, rank, natural)) {
            play.cards = unite(at_rank(part, rank), wild_cards(wild));
            out.push_back(play);
        }
    }
}

// Slots of equal groups on consecutive ranks; `base` holds the slots below and the wild cards they used.
void Holding::list_chain(Play& base, int slot, int slots, int copies, std::vector<Play>& out) const {
    if (slot == slots) {
        Play play = base;
        play.cards = unite(play.cards, wild_cards(play.wilds));
        out.push_back(play);
        return;
    }
    const int rank = (base.rank + slot) % kRanks;
    const Cards below = base.cards;
    const uint8_t used = base.wilds;
    for (int wild = 0; wild <= std::min(wilds_ - used, copies); ++wild) {
        base.wilds = static_cast<uint8_t>(used + wild);
        for (uint8_t part : subsets(natural_, rank, copies - wild)) {
            base.cards = unite(below, at_rank(part, rank));
            list_chain(base, slot + 1, slots, copies, out);
        }
    }
    base.cards = below;
    base.wilds = used;
}

void Holding::list_full_house(int rank, std::vector<Play>& out) const {
    Play play{Type::FullHouse, static_cast<uint8_t>(rank), kRunLength, 0, static_cast<uint8_t>(level_), {}};
    for (int in_triple = 0; in_triple <= wilds_; ++in_triple) {
        const auto triples = subsets(natural_, rank, 3 - in_triple);
        if (triples.empty()) continue;
        for (int in_pair = 0; in_pair <= wilds_ - in_triple; ++in_pair) {
            play.wilds = static_cast<uint8_t>(in_triple + in_pair);
            const Cards wild = wild_cards(play.wilds);
            // A pair of wild cards alone is a pair of level cards: one reading, at the level's rank.
            const uint32_t candidates = in_pair == kCopies ? 1u << level_ : at_least(2 - in_pair) | (in_pair ? 0 : joker_ranks(2));
            for (uint32_t rest = candidates & ~(1u << rank); rest; rest &= rest - 1) {
                const int pair = core::lowest(rest);
                if (pair >= kRanks) {
                    const uint64_t bit = 1ULL << (kSmallJoker + pair - kRanks);
                    for (uint8_t part : triples) {
                        play.cards = unite(unite(at_rank(part, rank), wild), {bit, bit});
                        out.push_back(play);
                    }
                    continue;
                }
                for (uint8_t two : subsets(natural_, pair, 2 - in_pair)) {
                    const Cards side = unite(at_rank(two, pair), wild);
                    for (uint8_t part : triples) {
                        play.cards = unite(at_rank(part, rank), side);
                        out.push_back(play);
                    }
                }
            }
        }
    }
}

// `suits` are the suits that all natural cards so far share: none left means not a flush.
void Holding::list_straight(Play& base, int place, uint32_t suits, std::vector<Play>& out) const {
    if (place == kRunLength) {
        if (suits && !(either_ && base.wilds)) return;
        Play play = base;
        play.cards = unite(play.cards, wild_cards(play.wilds));
        out.push_back(play);
        return;
    }
    const int shift = kSuits * ((base.rank + place) % kRanks);
    const uint64_t below = base.cards.once;
    for (uint64_t held = natural_.once >> shift & 15; held; held &= held - 1) {
        const uint64_t suit = held & (~held + 1);
        base.cards.once = below | suit << shift;
        list_straight(base, place + 1, suits & static_cast<uint32_t>(suit), out);
    }
    base.cards.once = below;
    if (base.wilds < wilds_) {
        ++base.wilds;
        list_straight(base, place + 1, suits, out);
        --base.wilds;
    }
}

void Holding::list_straight_flush(int start, std::vector<Play>& out) const {
    for (int suit = 0; suit < kSuits; ++suit) {
        const uint32_t ranks = with_high_ace(suit_ranks_[suit]) >> start & low_bits(kRunLength);
        if (core::popcount(ranks) + wilds_ < kRunLength) continue;
        // Natural cards kept: all subsets that leave at most `wilds_` places to wild cards.
        for (uint32_t kept = ranks;; kept = (kept - 1) & ranks) {
            const int wild = kRunLength - core::popcount(kept);
            if (wild <= wilds_) {
                Play play{Type::StraightFlush, static_cast<uint8_t>(start), kRunLength, static_cast<uint8_t>(wild),
                          static_cast<uint8_t>(level_), wild_cards(wild)};
                for (uint32_t rest = kept; rest; rest &= rest - 1) {
                    play.cards.once |= 1ULL << kind_of((start + core::lowest(rest)) % kRanks, suit);
                }
                out.push_back(play);
            }
            if (kept == 0) break;
        }
    }
}

void Holding::list(int index, const Play* target, std::vector<Play>& out) const {
    const Shape shape = shape_of(index);
    Play base{shape.type, shape.rank, 0, 0, static_cast<uint8_t>(level_), {}};
    switch (shape.type) {
        case Type::Single: list_group(shape.type, shape.rank, 1, out); break;
        case Type::Pair: list_group(shape.type, shape.rank, 2, out); break;
        case Type::Triple: list_group(shape.type, shape.rank, 3, out); break;
        case Type::Plate:
            base.size = 3 * kPlateSlots;
            list_chain(base, 0, kPlateSlots, 3, out);
            break;
        case Type::Tube:
            base.size = 2 * kTubeSlots;
            list_chain(base, 0, kTubeSlots, 2, out);
            break;
        case Type::FullHouse: list_full_house(shape.rank, out); break;
        case Type::Straight:
            base.size = kRunLength;
            list_straight(base, 0, 15, out);
            break;
        case Type::Bomb: {
            const int last = shape.size == kMaxListedBomb ? std::min(kMaxBomb, naturals(shape.rank) + wilds_) : shape.size;
            for (int size = shape.size; size <= last; ++size) {
                base.size = static_cast<uint8_t>(size);
                if (!target || target->is_pass() || beats(base, *target, level_)) list_group(shape.type, shape.rank, size, out);
            }
            break;
        }
        case Type::StraightFlush: list_straight_flush(shape.rank, out); break;
        case Type::JokerBomb: {
            constexpr uint64_t both = 1ULL << kSmallJoker | 1ULL << kBigJoker;
            out.push_back({Type::JokerBomb, 0, 2 * kCopies, 0, 0, {both, both}});
            break;
        }
        default: out.push_back({});
    }
}

// --- readings -------------------------------------------------------------------------------------------------------------

namespace {

// Takes cards of `rank` out of `left`, then wild cards, and appends `copies` of them as one slot.
void fill_slot(Arrangement& out, Cards& left, int rank, int copies, int level, int suit) {
    const int wild = wild_kind(level);
    for (int taken = 0; taken < copies; ++taken) {
        int kind = wild, claim = kind_of(rank % kRanks, suit);
        const uint64_t own = rank >= kRanks ? 1ULL << (kSmallJoker + rank - kRanks) : (left.once & 15ULL << kSuits * rank);
        const uint64_t natural = own & left.once & ~(1ULL << wild);
        if (natural) kind = claim = core::lowest(natural);
        left.remove(kind);
        out.kinds[out.size] = static_cast<uint8_t>(kind);
        out.claims[out.size++] = static_cast<uint8_t>(claim);
    }
}

int pair_rank(const Play& play, int level) {
    for (int kind : {kSmallJoker, kBigJoker}) {
        if (play.cards.count(kind) == kCopies) return rank_of(kind);
    }
    uint64_t rest = play.cards.once & kSuitedKinds & ~(1ULL << wild_kind(level)) & ~(15ULL << kSuits * play.rank);
    return rest ? rank_of(core::lowest(rest)) : level;
}

int flush_suit(const Play& play, int level) {
    const uint64_t natural = play.cards.once & ~(1ULL << wild_kind(level));
    return suit_of(core::lowest(natural));
}

}  // namespace

bool is_off_suit(const Play& play) {
    if (play.type != Type::Straight || !play.wilds) return false;
    uint32_t suits = (1u << kSuits) - 1;
    for (uint64_t rest = play.cards.once & ~(1ULL << wild_kind(play.level)); rest; rest &= rest - 1) suits &= 1u << suit_of(core::lowest(rest));
    return suits != 0;
}

Arrangement arrange(const Play& play) {
    const int level = play.level;
    Arrangement out;
    Cards left = play.cards;
    const auto fill = [&](int rank, int copies, int suit = kHeart) { fill_slot(out, left, rank, copies, level, suit); };
    switch (play.type) {
        case Type::Pass: break;
        case Type::Plate:
            for (int i = 0; i < kPlateSlots; ++i) fill((play.rank + i) % kRanks, 3);
            break;
        case Type::Tube:
            for (int i = 0; i < kTubeSlots; ++i) fill((play.rank + i) % kRanks, 2);
            break;
        case Type::FullHouse:
            fill(play.rank, 3);
            fill(pair_rank(play, level), 2);
            break;
        case Type::Straight:
            for (int i = 0; i < kRunLength; ++i) fill((play.rank + i) % kRanks, 1, is_off_suit(play) && flush_suit(play, level) == kHeart ? 0 : kHeart);
            break;
        case Type::StraightFlush:
            for (int i = 0; i < kRunLength; ++i) fill((play.rank + i) % kRanks, 1, flush_suit(play, level));
            break;
        case Type::JokerBomb:
            fill(kRankSmall, 2);
            fill(kRankBig, 2);
            break;
        case Type::Tribute:
        case Type::Return:
            out.kinds[0] = out.claims[0] = static_cast<uint8_t>(core::lowest(left.once));
            out.size = 1;
            break;
        default: fill(play.rank, play.size);
    }
    return out;
}

std::string text_of(const Play& play) {
    if (play.is_pass()) return "pass";
    const Arrangement slots = arrange(play);
    const bool off_suit = is_off_suit(play);
    std::string out;
    for (int i = 0; i < slots.size; ++i) {
        out += kind_text(slots.kinds[i]);
        const int claim = rank_of(slots.claims[i]);
        if (off_suit && slots.kinds[i] == wild_kind(play.level)) {
            out += '=';
            out += kind_text(slots.claims[i]);
        } else if (claim != rank_of(slots.kinds[i])) {
            out += '=';
            out += kRankLetters[claim];
        }
    }
    return out;
}

std::vector<Play> readings(const Cards& cards, int level, bool either) {
    const int size = cards.size();
    std::vector<Play> all, out;
    if (size == 0 || size > kMaxBomb) return out;
    const Holding holding(cards, level, either);
    holding.list_all(holding.lead_mask(), nullptr, all);
    for (const Play& play : all) {
        if (play.size == size) out.push_back(play);
    }
    return out;
}

}  // namespace mingpai::guandan
