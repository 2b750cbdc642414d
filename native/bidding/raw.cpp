#include "native/bidding/raw.hpp"

#include <charconv>

#include "native/doudizhu/text.hpp"

namespace mingpai::bidding {
namespace {

using doudizhu::cards_of;
using doudizhu::kBigJoker;
using doudizhu::kSmallJoker;

constexpr int kStages = 6;

// Hands out the parts of a text between separators.
class Parts {
  public:
    Parts(std::string_view text, char separator) : text_(text), separator_(separator) {}

    bool next(std::string_view& part) {
        if (done_) return false;
        const size_t end = text_.find(separator_);
        part = text_.substr(0, end);
        if (end == std::string_view::npos) {
            done_ = true;
        } else {
            text_.remove_prefix(end + 1);
        }
        return true;
    }
    // True when exactly `count` parts were there.
    bool all(std::string_view* parts, int count) {
        for (int i = 0; i < count; ++i) {
            if (!next(parts[i])) return false;
        }
        return done_;
    }

  private:
    std::string_view text_;
    char separator_;
    bool done_ = false;
};

// A number as the writer writes it: no sign but a minus, no leading zero.
bool read_number(std::string_view text, int32_t low, int32_t high, int32_t& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || end != text.data() + text.size() || out < low || out > high) return false;
    return text == "0" || (text[0] != '0' && !text.starts_with("-0"));
}

// The rank of a letter under a convention; -1 for no card.
int rank_of(char letter, const Convention& convention) {
    const size_t place = doudizhu::kRankLetters.find(letter);
    if (place == std::string_view::npos) return -1;
    const int rank = static_cast<int>(place);
    if (rank < kSmallJoker || !convention.red_is_x) return rank;
    return rank == kSmallJoker ? kBigJoker : kSmallJoker;
}

// Cards in any order, as many as asked for (0: any number, but at least one).
bool read_cards(std::string_view text, int count, const Convention& convention, Hand& out) {
    if (text.empty() || text.size() > doudizhu::kMaxHandCards) return false;
    if (count != 0 && static_cast<int>(text.size()) != count) return false;
    out = 0;
    for (const char letter : text) {
        const int rank = rank_of(letter, convention);
        if (rank < 0) return false;
        if (doudizhu::count_of(out, rank) == doudizhu::count_of(doudizhu::kFullDeck, rank)) return false;
        out += cards_of(rank);
    }
    return true;
}

void write_cards(Hand cards, const Convention& convention, std::string& out) {
    for (const char letter : doudizhu::kRankLetters) {
        out.append(static_cast<size_t>(doudizhu::count_of(cards, rank_of(letter, convention))), letter);
    }
}

bool is_id(std::string_view text) {
    if (text.empty() || text.size() > kMaxIdLength) return false;
    for (const char c : text) {
        if (c <= ' ' || c > '~' || c == ',') return false;
    }
    return true;
}

Fault read_users(std::string_view stage, RawGame& game) {
    std::string_view ids[kSeats];
    if (!Parts(stage, kStx).all(ids, kSeats)) return Fault::Users;
    for (int seat = 0; seat < kSeats; ++seat) {
        if (!is_id(ids[seat])) return Fault::Users;
        for (int other = 0; other < seat; ++other) {
            if (ids[seat] == ids[other]) return Fault::Users;
        }
        game.users[static_cast<size_t>(seat)].assign(ids[seat]);
    }
    return Fault::None;
}

Fault read_deal(std::string_view hands, std::string_view bottom, const Convention& convention, Deal& deal) {
    std::string_view texts[kSeats];
    if (!Parts(hands, kStx).all(texts, kSeats)) return Fault::Hands;
    for (int seat = 0; seat < kSeats; ++seat) {
        if (!read_cards(texts[seat], doudizhu::kDealtCards, convention, deal.hands[seat])) return Fault::Hands;
    }
    if (!read_cards(bottom, doudizhu::kBottomCards, convention, deal.bottom)) return Fault::Bottom;
    Hand left = doudizhu::kFullDeck;
    for (const Hand cards : {deal.hands[0], deal.hands[1], deal.hands[2], deal.bottom}) {
        if (!doudizhu::holds(left, cards)) return Fault::Deck;
        left -= cards;
    }
    return Fault::None;
}

// The seat of an item whose numbers are `first` and `second`; the other number must count on from item to item.
bool read_seat(std::string_view first, std::string_view second, int32_t number, const Convention& convention, uint8_t& seat) {
    int32_t at, counter;
    const std::string_view seat_text = convention.seat_first ? first : second;
    const std::string_view counter_text = convention.seat_first ? second : first;
    if (!read_number(seat_text, 0, kSeats - 1, at) || !read_number(counter_text, 1, 9999, counter)) return false;
    seat = static_cast<uint8_t>(at);
    return counter == number;
}

bool read_bid(std::string_view item, int32_t number, const Convention& convention, RawBid& bid) {
    std::string_view fields[4];
    if (!Parts(item, ',').all(fields, 4)) return false;
    int word = 0;
    while (word < static_cast<int>(std::size(kWords)) && kWords[word] != fields[1]) ++word;
    if (word == static_cast<int>(std::size(kWords))) return false;
    bid.word = static_cast<Word>(word);
    int32_t value;
    if (!read_number(fields[3], 0, bid.word == Word::Bid ? doudizhu::kMaxBid : 1, value)) return false;
    bid.value = static_cast<uint8_t>(value);
    return read_seat(fields[0], fields[2], number, convention, bid.seat);
}

// The bids are those of one auction: played again by the rules, each is legal and in turn.
bool is_auction(const RawGame& game) {
    if (game.bids.empty()) return true;
    doudizhu::Rules rules;
    rules.bidding = game.bids.front().word == Word::Bid ? Bidding::Score : Bidding::CallRob;
    State state = State::start(game.deal, rules, game.bids.front().seat);
    for (const RawBid& bid : game.bids) {
        if (state.status.phase != doudizhu::Phase::Bid || state.status.turn != bid.seat) return false;
        const bool robs = state.status.caller != doudizhu::kNobody;
        const Word wanted = rules.bidding == Bidding::Score ? Word::Bid : robs ? Word::Rob : Word::Call;
        if (bid.word != wanted || !(state.legal_bids() >> bid.value & 1)) return false;
        state.bid(bid.value);
    }
    return true;
}

Fault read_bids(std::string_view stage, const Convention& convention, RawGame& game) {
    game.bids.clear();
    if (stage.empty()) return Fault::None;
    Parts items(stage, kStx);
    std::string_view item;
    while (items.next(item)) {
        RawBid bid;
        if (!read_bid(item, static_cast<int32_t>(game.bids.size()) + 1, convention, bid)) return Fault::Bids;
        game.bids.push_back(bid);
    }
    return is_auction(game) ? Fault::None : Fault::BidOrder;
}

bool read_play(std::string_view item, int32_t number, const Convention& convention, RawPlay& play) {
    std::string_view fields[3];
    if (!Parts(item, ',').all(fields, 3)) return false;
    if (!read_seat(fields[0], fields[1], number, convention, play.seat)) return false;
    play.cards = 0;
    return fields[2] == "-" || read_cards(fields[2], 0, convention, play.cards);
}

Fault read_plays(std::string_view stage, const Convention& convention, RawGame& game) {
    game.plays.clear();
    if (stage.empty()) return Fault::None;
    std::array<Hand, kSeats> hands = game.deal.hands;
    if (const int landlord = landlord_of(game); landlord >= 0) hands[landlord] += game.deal.bottom;
    Parts items(stage, kStx);
    std::string_view item;
    while (items.next(item)) {
        RawPlay play;
        if (!read_play(item, static_cast<int32_t>(game.plays.size()) + 1, convention, play)) return Fault::Plays;
        if (!doudizhu::holds(hands[play.seat], play.cards)) return Fault::NotHeld;
        hands[play.seat] -= play.cards;
        game.plays.push_back(play);
    }
    return Fault::None;
}

bool read_points(std::string_view text, std::array<int32_t, kSeats>& points) {
    constexpr int32_t kMost = 1 << 24;
    std::string_view fields[kSeats];
    if (!Parts(text, ',').all(fields, kSeats)) return false;
    for (int seat = 0; seat < kSeats; ++seat) {
        if (!read_number(fields[seat], -kMost, kMost, points[static_cast<size_t>(seat)])) return false;
    }
    return true;
}

Fault read_result(std::string_view stage, RawGame& game) {
    game.leaver = 0;
    game.landlord_won = false;
    game.points = {};
    Parts items(stage, kStx);
    std::string_view word, rest[2];
    items.next(word);
    for (int i = 0; i < static_cast<int>(std::size(kEndings)); ++i) {
        if (kEndings[i] != word) continue;
        game.ending = static_cast<Ending>(i);
        int32_t seat;
        switch (game.ending) {
            case Ending::Over:
                if (!items.all(rest, 2) || (rest[0] != kSides[0] && rest[0] != kSides[1])) return Fault::Result;
                game.landlord_won = rest[0] == kSides[1];
                return read_points(rest[1], game.points) ? Fault::None : Fault::Result;
            case Ending::Left:
                if (!items.all(rest, 1) || !read_number(rest[0], 0, kSeats - 1, seat)) return Fault::Result;
                game.leaver = static_cast<uint8_t>(seat);
                return Fault::None;
            default:
                return items.next(word) ? Fault::Result : Fault::None;
        }
    }
    return Fault::Result;
}

void write_number(int64_t value, std::string& out) {
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    (void)error;
    out.append(digits, end);
}

void write_pair(int seat, size_t number, std::string_view between, const Convention& convention, std::string& out) {
    const auto counter = static_cast<int64_t>(number);
    write_number(convention.seat_first ? seat : counter, out);
    out.append(between);
    write_number(convention.seat_first ? counter : seat, out);
    out.push_back(',');
}

void write_result(const RawGame& game, std::string& out) {
    out.append(kEndings[static_cast<int>(game.ending)]);
    if (game.ending == Ending::Left) {
        out.push_back(kStx);
        write_number(game.leaver, out);
    }
    if (game.ending != Ending::Over) return;
    out.push_back(kStx);
    out.append(kSides[game.landlord_won]).push_back(kStx);
    for (int seat = 0; seat < kSeats; ++seat) {
        if (seat) out.push_back(',');
        write_number(game.points[static_cast<size_t>(seat)], out);
    }
}

}  // namespace

int landlord_of(const RawGame& game) {
    for (size_t i = game.bids.size(); i > 0; --i) {
        if (game.bids[i - 1].value) return game.bids[i - 1].seat;
    }
    return -1;
}

Fault parse(std::string_view line, const Convention& convention, RawGame& game) {
    std::string_view stages[kStages];
    if (!Parts(line, kSoh).all(stages, kStages)) return Fault::Stages;
    Fault fault = read_users(stages[0], game);
    if (fault == Fault::None) fault = read_deal(stages[1], stages[2], convention, game.deal);
    if (fault == Fault::None) fault = read_bids(stages[3], convention, game);
    if (fault == Fault::None) fault = read_plays(stages[4], convention, game);
    if (fault == Fault::None) fault = read_result(stages[5], game);
    return fault;
}

void format(const RawGame& game, const Convention& convention, std::string& out) {
    for (int seat = 0; seat < kSeats; ++seat) {
        if (seat) out.push_back(kStx);
        out.append(game.users[static_cast<size_t>(seat)]);
    }
    for (int seat = 0; seat < kSeats; ++seat) {
        out.push_back(seat ? kStx : kSoh);
        write_cards(game.deal.hands[seat], convention, out);
    }
    out.push_back(kSoh);
    write_cards(game.deal.bottom, convention, out);
    out.push_back(kSoh);
    for (size_t i = 0; i < game.bids.size(); ++i) {
        if (i) out.push_back(kStx);
        const RawBid& bid = game.bids[i];
        std::string between(",");
        between.append(kWords[static_cast<int>(bid.word)]).push_back(',');
        write_pair(bid.seat, i + 1, between, convention, out);
        write_number(bid.value, out);
    }
    out.push_back(kSoh);
    for (size_t i = 0; i < game.plays.size(); ++i) {
        if (i) out.push_back(kStx);
        write_pair(game.plays[i].seat, i + 1, ",", convention, out);
        if (game.plays[i].cards) {
            write_cards(game.plays[i].cards, convention, out);
        } else {
            out.push_back('-');
        }
    }
    out.push_back(kSoh);
    write_result(game, out);
}

}  // namespace mingpai::bidding
