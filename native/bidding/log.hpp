// A log read in blocks of bytes of any size into columns: one row for each game and one for each bid. Malformed lines are
// counted by reason, with the numbers of the first ones.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "native/bidding/raw.hpp"

namespace mingpai::bidding {

// Lines of a fault that are remembered.
inline constexpr size_t kKeptExamples = 5;

struct GameColumns {
    std::vector<int64_t> line;  // from 1
    std::vector<int32_t> player0, player1, player2;
    std::vector<uint8_t> call_rob;      // 1: call and rob
    std::vector<uint8_t> ending;        // Ending
    std::vector<int8_t> landlord;       // seat of the last bid; -1 for nobody
    std::vector<int8_t> first_play;     // seat of the first play; -1 for none
    std::vector<uint8_t> landlord_won;  // of games that are over
    std::vector<uint16_t> plays;        // number of plays
};

struct BidColumns {
    std::vector<int64_t> line;  // of the game
    std::vector<uint8_t> number;  // of the bid in its game, from 0
    std::vector<uint8_t> seat;
    std::vector<int32_t> player;
    std::vector<uint8_t> phase, value;  // the situation
    std::vector<uint8_t> bid;           // what was bid
    std::vector<uint64_t> hand;
};

class LogReader {
  public:
    explicit LogReader(const Convention& convention) : convention_(convention) {}

    // Reads the whole lines of a block; a rest without line end waits for the next block.
    void feed(std::string_view block);
    // Reads what still waits as the last line.
    void finish();

    // Rows since the last clear().
    const GameColumns& games() const { return games_; }
    const BidColumns& bids() const { return bids_; }
    void clear();

    // Ids of all players so far; their places are the numbers in the columns.
    const std::vector<std::string>& players() const { return players_; }
    int64_t lines() const { return lines_; }
    int64_t records() const { return records_; }
    int64_t count(Fault fault) const { return counts_[static_cast<size_t>(fault)]; }
    const std::vector<int64_t>& examples(Fault fault) const { return examples_[static_cast<size_t>(fault)]; }

  private:
    void read(std::string_view line);
    void add_game();
    int32_t number_of(const std::string& id);

    Convention convention_;
    std::string rest_;
    RawGame game_;
    GameColumns games_;
    BidColumns bids_;
    std::unordered_map<std::string, int32_t> numbers_;
    std::vector<std::string> players_;
    int64_t lines_ = 0, records_ = 0;
    std::array<int64_t, kFaultCount> counts_{};
    std::array<std::vector<int64_t>, kFaultCount> examples_;
};

}  // namespace mingpai::bidding
