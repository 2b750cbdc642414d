#include "native/bidding/log.hpp"

namespace mingpai::bidding {

void LogReader::feed(std::string_view block) {
    size_t end = block.find('\n');
    if (end == std::string_view::npos) {
        rest_.append(block);
        return;
    }
    if (!rest_.empty()) {
        rest_.append(block.substr(0, end));
        read(rest_);
        rest_.clear();
        block.remove_prefix(end + 1);
        end = block.find('\n');
    }
    for (; end != std::string_view::npos; end = block.find('\n')) {
        read(block.substr(0, end));
        block.remove_prefix(end + 1);
    }
    rest_.assign(block);
}

void LogReader::finish() {
    if (!rest_.empty()) read(rest_);
    rest_.clear();
}

void LogReader::clear() {
    games_ = {};
    bids_ = {};
}

void LogReader::read(std::string_view line) {
    ++lines_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) return;
    const Fault fault = parse(line, convention_, game_);
    if (fault == Fault::None) {
        ++records_;
        add_game();
        return;
    }
    const auto at = static_cast<size_t>(fault);
    ++counts_[at];
    if (examples_[at].size() < kKeptExamples) examples_[at].push_back(lines_);
}

int32_t LogReader::number_of(const std::string& id) {
    const auto [entry, is_new] = numbers_.try_emplace(id, static_cast<int32_t>(players_.size()));
    if (is_new) players_.push_back(id);
    return entry->second;
}

void LogReader::add_game() {
    std::array<int32_t, kSeats> players;
    for (int seat = 0; seat < kSeats; ++seat) players[seat] = number_of(game_.users[seat]);
    const bool call_rob = !game_.bids.empty() && game_.bids.front().word != Word::Bid;
    games_.line.push_back(lines_);
    games_.player0.push_back(players[0]);
    games_.player1.push_back(players[1]);
    games_.player2.push_back(players[2]);
    games_.call_rob.push_back(call_rob);
    games_.ending.push_back(static_cast<uint8_t>(game_.ending));
    games_.landlord.push_back(static_cast<int8_t>(landlord_of(game_)));
    games_.first_play.push_back(game_.plays.empty() ? int8_t{-1} : static_cast<int8_t>(game_.plays.front().seat));
    games_.landlord_won.push_back(game_.landlord_won);
    games_.plays.push_back(static_cast<uint16_t>(game_.plays.size()));
    int highest = 0, raises = 0;
    for (size_t i = 0; i < game_.bids.size(); ++i) {
        const RawBid& bid = game_.bids[i];
        const int value = call_rob ? std::min(raises, kBidValues - 1) : highest;
        bids_.line.push_back(lines_);
        bids_.number.push_back(static_cast<uint8_t>(i));
        bids_.seat.push_back(bid.seat);
        bids_.player.push_back(players[bid.seat]);
        bids_.phase.push_back(bid.word == Word::Rob ? kAsksRob : kAsksCall);
        bids_.value.push_back(static_cast<uint8_t>(value));
        bids_.bid.push_back(bid.value);
        bids_.hand.push_back(game_.deal.hands[bid.seat]);
        raises += bid.value > 0;
        highest = std::max(highest, static_cast<int>(bid.value));
    }
}

}  // namespace mingpai::bidding
