// What one seat knows of the others' cards, and uniform sampling of worlds that agree with it.
#pragma once
#include <optional>
#include <vector>

#include "native/guandan/round.hpp"

namespace mingpai::guandan {

// Public facts and the seat's own hand; nothing hidden. Equal for two rounds that the seat cannot tell apart.
struct Knowledge {
    int seat = 0;
    Cards hand;                             // the seat's own cards
    Cards unseen;                           // cards in the other hands
    std::array<int, kSeats> sizes{};        // cards left in each hand
    std::array<Cards, kSeats> held{};       // cards a seat certainly still holds: tribute received and cards given back
    std::array<uint64_t, kSeats> barred{};  // kinds a seat certainly did not have before the exchange and got none of since
    uint8_t not_both_big = 0;               // seats (bits) that together do not hold both big jokers; 0: nothing known

    Knowledge(const Round& round, int seat);
    // From the public part of a table: played cards, exchanges, phase, hand sizes. Its hands are not looked at.
    Knowledge(const RoundStatus& open, const Cards& deck, const std::array<int, kSeats>& sizes, int level, NoReturn no_return, int seat,
              const Cards& hand);
};

// Draws the three hidden hands uniformly from all deals that agree with the knowledge; every physical card counts apart.
class WorldSampler {
  public:
    explicit WorldSampler(const Knowledge& knowledge);

    // False if no deal agrees (the knowledge contradicts itself).
    bool is_possible() const { return possible_; }
    // The four hands, the own one included.
    std::array<Cards, kSeats> sample(core::Rng& rng) const;

  private:
    static constexpr int kOthers = kSeats - 1;
    static constexpr int kSets = 1 << kOthers;  // sets of the other seats that may hold a card
    // How many cards of the sets of two seats go to the lower seat of the set.
    struct Split {
        std::array<uint8_t, kSets> lower{};
        double cumulative = 0;  // weight of the splits up to this one
    };
    void weigh_splits();
    bool can_part_big() const;

    Knowledge known_;
    std::array<int, kOthers> others_{};              // seats
    std::array<int, kOthers> capacity_{};            // cards to deal to each
    std::array<std::vector<uint8_t>, kSets> cards_;  // unseen cards by the set of seats that may hold them
    std::vector<Split> splits_;
    bool possible_ = true;
};

// A round as one seat saw it.
struct Seen {
    const Profile* profile;
    int level;
    int leader;                                 // of the first trick, when there is no tribute
    std::optional<std::array<int8_t, kSeats>> previous;
    bool resisted;                              // meaningful after a previous round
    int seat;
    Cards hand;                                 // what the seat holds now
    std::vector<Step> steps;
    Cards deck = kFullDeck;                     // all cards of the deal
    std::optional<std::array<int, kSeats>> sizes{};  // cards held now by each seat, if not 27 each were dealt
};
// A round that agrees with what was seen: the hidden cards are drawn from a fixed seed, so it depends on nothing else.
// Throws std::invalid_argument with the rule that the story breaks.
Round rebuild(const Seen& seen);
// The round with its hidden cards replaced in the same way: it tells nothing that the seat does not know.
Round blinded(const Round& round, int seat);

}  // namespace mingpai::guandan
