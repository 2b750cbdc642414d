// The inputs of the value network: one row of bytes for a state as the seat to move knows it, one for each legal move.
// Almost all are 0 or 1; only the older moves hold counts. Rows of a network that judges with open hands go on with places for
// the hands of the other two. "Thermometer" is 54 places: four for each rank from 3 to 2, the
// lowest `count` of them set, then one for each joker.
#pragma once
#include <array>
#include <cstdint>

#include "native/doudizhu/rules.hpp"
#include "native/mcm/table.hpp"
#include "native/mcm/turns.hpp"

namespace mingpai::mcm {

// Models store it and are refused by another: change it with any change of the layout or of what a place means.
inline constexpr int kFeatureVersion = 3;

// What a deal is played for.
enum class Objective : uint8_t { Win, Points };

namespace layout {
inline constexpr int kThermometer = doudizhu::kDeckCards;
inline constexpr int kHandSizes = doudizhu::kMaxHandCards;  // one place for each number of cards
inline constexpr int kLengths = doudizhu::kChainRanks;      // one place for each length of a chain
inline constexpr int kBombCounts = 5;                       // 0 to 3, and more
inline constexpr int kTurnCounts = 12;                      // 0 to 10, and more
inline constexpr int kPassedRanks = doudizhu::kRanks + 1;   // the last place: never passed
inline constexpr int kLosingCounts = 6;                     // 0 to 4, and more
inline constexpr int kWinnerCounts = 5;                     // 0 to 3, and more
inline constexpr int kChances = 6;                          // one place for each band of a chance
inline constexpr int kFullMoves = 3;                        // latest moves given as thermometers
inline constexpr int kOlderMoves = kRecentMoves - kFullMoves;
inline constexpr int kOlderMove = doudizhu::kRanks + 1;     // counts of a move, and whether it was a pass

// State.
inline constexpr int kHand = 0;
inline constexpr int kUnseen = kHand + kThermometer;
inline constexpr int kPlayed = kUnseen + kThermometer;  // by the seat to move, the next, the previous
inline constexpr int kRecent = kPlayed + kRoles * kThermometer;
inline constexpr int kBottom = kRecent + kFullMoves * kThermometer;
inline constexpr int kCardsLeft = kBottom + kThermometer;  // of the seat to move, the next, the previous
inline constexpr int kLastType = kCardsLeft + kRoles * kHandSizes;
inline constexpr int kLastRank = kLastType + doudizhu::kTypes;
inline constexpr int kLastLength = kLastRank + doudizhu::kRanks;
inline constexpr int kLastOwner = kLastLength + kLengths;  // nobody, the next, the previous
inline constexpr int kBombs = kLastOwner + kRoles;
inline constexpr int kRole = kBombs + kBombCounts;
inline constexpr int kTurns = kRole + kRoles;              // estimated turns of the hand
inline constexpr int kPassed = kTurns + kTurnCounts;       // lowest of each kind that the next, then the previous let go by
inline constexpr int kOlder = kPassed + (kRoles - 1) * kPassedKinds * kPassedRanks;
inline constexpr int kUnseenBombs = kOlder + kOlderMoves * kOlderMove;
inline constexpr int kForPoints = kUnseenBombs + kBombCounts;
inline constexpr int kLosing = kForPoints + 1;  // turns of the hand that can be beaten, bombs aside
inline constexpr int kNoSpring = kLosing + kLosingCounts;  // spring does not double
inline constexpr int kNoBombs = kNoSpring + 1;             // bombs do not double
inline constexpr int kStateEnd = kNoBombs + 1;

// State with open hands: of the next and the previous seat.
inline constexpr int kOthers = kRoles - 1;
inline constexpr int kOpenHands = kStateEnd;
inline constexpr int kOpenTurns = kOpenHands + kOthers * kThermometer;
inline constexpr int kOpenBombs = kOpenTurns + kOthers * kTurnCounts;
inline constexpr int kOpenStateEnd = kOpenBombs + kOthers * kBombCounts;

// Move.
inline constexpr int kTurnChanges = 4;  // turns after the move against before: fewer, equal, one more, worse
inline constexpr int kHigherCounts = 4; // 0 to 2, and more
inline constexpr int kCards = 0;
inline constexpr int kRest = kCards + kThermometer;  // the hand after the move
inline constexpr int kType = kRest + kThermometer;
inline constexpr int kRank = kType + doudizhu::kTypes;
inline constexpr int kLength = kRank + doudizhu::kRanks;
inline constexpr int kRestSize = kLength + kLengths;
inline constexpr int kRestTurns = kRestSize + kHandSizes;
inline constexpr int kTurnChange = kRestTurns + kTurnCounts;
inline constexpr int kHigher = kTurnChange + kTurnChanges;  // unseen combinations of the kind that beat it
inline constexpr int kGoesOut = kHigher + kHigherCounts;
inline constexpr int kIsBomb = kGoesOut + 1;
inline constexpr int kRestLosing = kIsBomb + 1;  // turns of the rest that can be beaten, bombs aside
inline constexpr int kRestWinners = kRestLosing + kLosingCounts;
inline constexpr int kStands = kRestWinners + kWinnerCounts;  // chance that the next, then the previous cannot beat what then lies, bombs aside
inline constexpr int kMoveEnd = kStands + (kRoles - 1) * kChances;

// Move with open hands: combinations of its kind that beat it, of the next and the previous seat.
inline constexpr int kOpenHigher = kMoveEnd;
inline constexpr int kOpenMoveEnd = kOpenHigher + kOthers * kHigherCounts;
}  // namespace layout

inline constexpr int kStateSize = layout::kStateEnd;
// The places that networks of version 2 know: they were not told which doublings count.
inline constexpr int kUntoldStateSize = layout::kNoSpring;
inline constexpr int kMoveSize = layout::kMoveEnd;

// Places of the rows of a state and of a move.
struct RowSizes {
    int state, move;
    bool operator==(const RowSizes&) const = default;
};
inline constexpr RowSizes kClosedRows{kStateSize, kMoveSize};
inline constexpr RowSizes kOpenRows{layout::kOpenStateEnd, layout::kOpenMoveEnd};

// What the next and the previous seat hold.
using OtherHands = std::array<Hand, layout::kOthers>;

// The places of a row that are not zero, each as often as its count: what a sparse first layer adds up.
class Places {
  public:
    // A state: at most the deck twice (own and unseen cards, those played), the latest moves, and some thirty single places.
    static constexpr int kCapacity = 512;

    void clear() { size_ = 0; }
    void add(int place) { at_[size_++] = static_cast<uint16_t>(place); }
    const uint16_t* begin() const { return at_; }
    const uint16_t* end() const { return at_ + size_; }
    int size() const { return size_; }
    // The row that has these places.
    void write(uint8_t* row, int columns) const;

  private:
    int size_ = 0;
    uint16_t at_[kCapacity];
};

// What the next and the previous seat may hold when the unseen cards lie at random, by room in their hands.
class Odds {
  public:
    Odds(Hand unseen, const std::array<int, layout::kOthers>& sizes);
    // Chance that a seat (0 the next, 1 the previous) has nothing of the kind of `move` above it, bombs aside unless it is one.
    double stands(int other, const Move& move) const;

  private:
    static constexpr int kCopies = 4;

    Hand unseen_;
    std::array<int, layout::kOthers> sizes_;
    double share_[layout::kOthers];                          // of the unseen cards
    double chance_[layout::kOthers][kCopies + 1][kCopies + 1];  // of at least so many copies of so many unseen ones
    double none_above_[layout::kOthers][kCopies + 1][doudizhu::kRanks];  // of no rank above with so many copies
};

// Parts of a hand that nothing unseen beats, bombs aside: singles, pairs and triples as they lie in it, bombs, the rocket.
int winners_in(Hand hand, Hand unseen);

// How many combinations of the kind of `move` in `unseen` beat it, by main part alone; bombs only where `move` is a bomb.
int higher_unseen(Hand unseen, const Move& move);

// Adds the places of open hands to those of a state, and to those of a move.
void list_others(const OtherHands& others, TurnCache& turns, Places& places);
void list_higher(const OtherHands& others, const Move& move, Places& places);

// The view of the seat to move: its own hand and the public play.
struct SeatView {
    const Play& play;
    Hand hand;
    Objective objective;
    const doudizhu::Rules& rules;

    Hand unseen() const;
    Odds odds(Hand unseen) const;
    // `hand_turns` and `rest_turns`: estimated turns of the hand before and after the move.
    void list_state(Places& places, int hand_turns) const;
    void list_move(const Move& move, Hand unseen, const Odds& odds, int hand_turns, int rest_turns, Places& places) const;
    // The same as rows of bytes.
    void write_state(uint8_t* row, int hand_turns) const;
    void write_move(const Move& move, Hand unseen, const Odds& odds, int hand_turns, int rest_turns, uint8_t* row) const;
};

// The cards of a hand as a thermometer that starts at `first`.
void list_thermometer(Hand cards, int first, Places& places);

}  // namespace mingpai::mcm
