// The platform's text log: one game in a line, its stages separated by SOH, the items of a stage by STX. The grammar is in
// docs/raw-format.md.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "native/bidding/situation.hpp"

namespace mingpai::bidding {

inline constexpr char kSoh = 0x01, kStx = 0x02;
inline constexpr size_t kMaxIdLength = 64;

// What the text leaves open and a reader must be told.
struct Convention {
    bool red_is_x = true;    // X is the red (big) joker and D the black (small) one, as the paper says; else the other way
    bool seat_first = true;  // the seat is the first number of a bid or play and the second one counts; else the other way
};

enum class Word : uint8_t { Bid, Call, Rob };
inline constexpr std::string_view kWords[] = {"bid", "call", "rob"};

enum class Ending : uint8_t {
    Over,  // played to its end
    Void,  // nobody bid
    Left,  // a player was disconnected
    Cut,   // the record ends before the game does
};
inline constexpr std::string_view kEndings[] = {"over", "void", "left", "cut"};
inline constexpr std::string_view kSides[] = {"farmers", "landlord"};

struct RawBid {
    uint8_t seat = 0;
    Word word = Word::Bid;
    uint8_t value = 0;  // a score 0 to 3; 0 or 1 for call and rob

    friend bool operator==(const RawBid&, const RawBid&) = default;
};

struct RawPlay {
    uint8_t seat = 0;
    Hand cards = 0;  // 0 for a pass

    friend bool operator==(const RawPlay&, const RawPlay&) = default;
};

struct RawGame {
    std::array<std::string, kSeats> users;
    Deal deal;
    std::vector<RawBid> bids;
    std::vector<RawPlay> plays;
    Ending ending = Ending::Cut;
    uint8_t leaver = 0;                     // seat that left, if one did
    bool landlord_won = false;              // of a game that is over
    std::array<int32_t, kSeats> points{};   // of a game that is over

    friend bool operator==(const RawGame&, const RawGame&) = default;
};

// Why a line is no record.
enum class Fault : uint8_t { None, Stages, Users, Hands, Bottom, Deck, Bids, BidOrder, Plays, NotHeld, Result };
inline constexpr std::string_view kFaults[] = {"none",      "stages", "users",    "hands", "bottom", "deck",
                                               "bids",      "bid_order", "plays", "not_held", "result"};
inline constexpr int kFaultCount = static_cast<int>(std::size(kFaults));

// Reads a line without its line end into `game`, whose buffers are used again. `game` is only meaningful without a fault.
Fault parse(std::string_view line, const Convention& convention, RawGame& game);
// Appends the line of a game, without a line end.
void format(const RawGame& game, const Convention& convention, std::string& out);

// The seat of the last bid above nothing: the landlord; -1 if there is none.
int landlord_of(const RawGame& game);

}  // namespace mingpai::bidding
