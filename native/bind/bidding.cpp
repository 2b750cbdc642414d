#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <variant>

#include "native/bidding/log.hpp"
#include "native/bidding/population.hpp"
#include "native/bind/arrays.hpp"
#include "native/bind/parts.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::bidding;
using mingpai::core::Budget;
using mingpai::ruleplay::Weights;

namespace mingpai::bind {
namespace {

using HandArray = nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using DealArray = nb::ndarray<const uint64_t, nb::shape<-1, kSeats + 1>, nb::c_contig, nb::device::cpu>;
using SeatArray = nb::ndarray<const int32_t, nb::shape<-1, kSeats>, nb::c_contig, nb::device::cpu>;
using PlayerArray = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

Hand dealt(Hand hand) {
    if (!doudizhu::is_hand(hand) || doudizhu::card_count(hand) != doudizhu::kDealtCards) {
        throw nb::value_error("not a hand of 17 cards");
    }
    return hand;
}

std::vector<Hand> hands_of(const HandArray& array) {
    std::vector<Hand> out(array.data(), array.data() + array.shape(0));
    for (const Hand hand : out) dealt(hand);
    return out;
}

std::vector<Deal> deals_of(const DealArray& array) {
    std::vector<Deal> out(array.shape(0));
    for (size_t i = 0; i < out.size(); ++i) {
        const uint64_t* row = array.data() + (kSeats + 1) * i;
        for (int seat = 0; seat < kSeats; ++seat) out[i].hands[seat] = dealt(row[seat]);
        out[i].bottom = row[kSeats];
        if (out[i].hands[0] + out[i].hands[1] + out[i].hands[2] + out[i].bottom != doudizhu::kFullDeck) {
            throw nb::value_error("the hands and bottom cards are not a whole deck");
        }
    }
    return out;
}

void bind_raw(nb::module_& m) {
    nb::class_<Convention>(m, "Convention", "What the text of a log leaves open.")
        .def(
            "__init__",
            [](Convention* self, bool red_is_x, bool seat_first) { new (self) Convention{red_is_x, seat_first}; },
            nb::kw_only(), "red_is_x"_a, "seat_first"_a)
        .def_ro("red_is_x", &Convention::red_is_x, "X is the red (big) joker; else D is.")
        .def_ro("seat_first", &Convention::seat_first, "The seat is the first number of a bid or play; else the second.");
    nb::enum_<Word>(m, "Word").value("BID", Word::Bid).value("CALL", Word::Call).value("ROB", Word::Rob);
    nb::enum_<Ending>(m, "Ending")
        .value("OVER", Ending::Over)
        .value("VOID", Ending::Void)
        .value("LEFT", Ending::Left)
        .value("CUT", Ending::Cut);
    nb::class_<RawBid>(m, "RawBid", "One bid of a log.")
        .def(
            "__init__",
            [](RawBid* self, uint8_t seat, Word word, uint8_t value) { new (self) RawBid{seat, word, value}; }, "seat"_a,
            "word"_a, "value"_a)
        .def_ro("seat", &RawBid::seat)
        .def_ro("word", &RawBid::word)
        .def_ro("value", &RawBid::value)
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
    nb::class_<RawPlay>(m, "RawPlay", "One play of a log.")
        .def("__init__", [](RawPlay* self, uint8_t seat, Hand cards) { new (self) RawPlay{seat, cards}; }, "seat"_a, "cards"_a)
        .def_ro("seat", &RawPlay::seat)
        .def_ro("cards", &RawPlay::cards, "0 for a pass.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
    nb::class_<RawGame>(m, "RawGame", "One game of a log.")
        .def(nb::init<>())
        .def_rw("users", &RawGame::users)
        .def_prop_rw(
            "hands", [](const RawGame& self) { return self.deal.hands; },
            [](RawGame& self, const std::array<Hand, kSeats>& hands) { self.deal.hands = hands; })
        .def_prop_rw(
            "bottom", [](const RawGame& self) { return self.deal.bottom; },
            [](RawGame& self, Hand bottom) { self.deal.bottom = bottom; })
        .def_rw("bids", &RawGame::bids)
        .def_rw("plays", &RawGame::plays)
        .def_rw("ending", &RawGame::ending)
        .def_rw("leaver", &RawGame::leaver, "Seat that left, if one did.")
        .def_rw("landlord_won", &RawGame::landlord_won)
        .def_rw("points", &RawGame::points)
        .def_prop_ro("landlord", &landlord_of, "The seat of the last bid above nothing; -1 if there is none.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"));
    m.def(
        "parse_line",
        [](const nb::bytes& line, const Convention& convention) -> std::variant<RawGame, std::string> {
            RawGame game;
            const Fault fault = parse({line.c_str(), line.size()}, convention, game);
            if (fault != Fault::None) return std::string(kFaults[static_cast<int>(fault)]);
            return game;
        },
        "line"_a, "convention"_a, "The game of a line without its line end, or the name of what is wrong with it.");
    m.def(
        "format_line",
        [](const RawGame& game, const Convention& convention) {
            std::string out;
            format(game, convention, out);
            return nb::bytes(out.data(), out.size());
        },
        "game"_a, "convention"_a, "The line of a game, without a line end.");
}

void bind_log(nb::module_& m) {
    nb::class_<LogReader>(m, "LogReader", "A log read in blocks into columns.")
        .def(nb::init<const Convention&>(), "convention"_a)
        .def(
            "feed",
            [](LogReader& self, const nb::bytes& block) {
                const std::string_view text(block.c_str(), block.size());
                nb::gil_scoped_release released;
                self.feed(text);
            },
            "block"_a)
        .def("finish", &LogReader::finish, "Reads a last line that has no line end.")
        .def(
            "take",
            [](LogReader& self) {
                nb::dict games, bids;
                const GameColumns& g = self.games();
                games["line"] = copied(g.line);
                games["player0"] = copied(g.player0);
                games["player1"] = copied(g.player1);
                games["player2"] = copied(g.player2);
                games["call_rob"] = copied(g.call_rob);
                games["ending"] = copied(g.ending);
                games["landlord"] = copied(g.landlord);
                games["first_play"] = copied(g.first_play);
                games["landlord_won"] = copied(g.landlord_won);
                games["plays"] = copied(g.plays);
                const BidColumns& b = self.bids();
                bids["line"] = copied(b.line);
                bids["number"] = copied(b.number);
                bids["seat"] = copied(b.seat);
                bids["player"] = copied(b.player);
                bids["phase"] = copied(b.phase);
                bids["value"] = copied(b.value);
                bids["bid"] = copied(b.bid);
                bids["hand"] = copied(b.hand);
                self.clear();
                return nb::make_tuple(games, bids);
            },
            nb::sig("def take(self) -> tuple[dict[str, typing.Any], dict[str, typing.Any]]"),
            "The columns of the games and of the bids since the last take, as arrays by name.")
        .def_prop_ro("players", &LogReader::players, "Ids of all players so far; columns hold their places.")
        .def_prop_ro("lines", &LogReader::lines)
        .def_prop_ro("records", &LogReader::records)
        .def_prop_ro(
            "faults",
            [](const LogReader& self) {
                nb::dict counts;
                for (int i = 1; i < kFaultCount; ++i) {
                    const auto fault = static_cast<Fault>(i);
                    if (!self.count(fault)) continue;
                    counts[nb::str(kFaults[i].data(), kFaults[i].size())] =
                        nb::make_tuple(self.count(fault), nb::cast(self.examples(fault)));
                }
                return counts;
            },
            nb::for_getter(nb::sig("def faults(self) -> dict[str, tuple[int, list[int]]]")),
            "What is wrong -> how many lines, and the numbers of the first.");
}

void bind_population(nb::module_& m) {
    m.def(
        "values",
        [](const HandArray& hands) {
            std::vector<double> out;
            for (const Hand hand : hands_of(hands)) out.push_back(hand_value(hand));
            return copied(out);
        },
        "hands"_a, "What hands of 17 cards are worth as landlord: logarithms of the odds.");
    m.def(
        "value_features",
        [](const HandArray& hands) {
            const std::vector<Hand> all = hands_of(hands);
            std::vector<double> out(all.size() * kValueFeatures);
            for (size_t i = 0; i < all.size(); ++i) value_features(all[i], out.data() + i * kValueFeatures);
            return copied<double, nb::ndim<2>>(out, {all.size(), kValueFeatures});
        },
        "hands"_a, "The numbers that the value of a hand is a weighted sum of, a row for each hand.");
    m.def("value_feature_names", [] {
        return std::vector<std::string>(std::begin(kValueFeatureNames), std::end(kValueFeatureNames));
    });
    m.def(
        "threshold",
        [](int phase, int value) {
            if (phase < 0 || phase >= kAskPhases || value < 0 || value >= kBidValues) throw nb::value_error("no such situation");
            return kThresholds[phase][value];
        },
        "phase"_a, "value"_a, "The value above which a neutral player bids.");
    m.def(
        "deals",
        [](uint64_t seed, int64_t first, int64_t count) {
            if (count < 0) throw nb::value_error("no negative number of deals");
            std::vector<uint64_t> out;
            for (int64_t i = 0; i < count; ++i) {
                Rng rng(core::stream_seed(seed, static_cast<uint64_t>(first + i)));
                const Deal deal = doudizhu::shuffled_deal(rng);
                out.insert(out.end(), {deal.hands[0], deal.hands[1], deal.hands[2], deal.bottom});
            }
            return copied<uint64_t, nb::ndim<2>>(out, {static_cast<size_t>(count), size_t{kSeats + 1}});
        },
        "seed"_a, "first"_a, "count"_a, "Shuffled deals: three hands and the bottom cards in a row.");
    m.def(
        "hands_beside",
        [](Hand hand, uint64_t seed, int count) {
            if (count < 0) throw nb::value_error("no negative number of deals");
            dealt(hand);
            Rng rng(seed);
            std::vector<uint64_t> out(2 * static_cast<size_t>(count));
            for (int i = 0; i < count; ++i) {
                const Deal deal = deal_around(hand, 0, rng);
                out[static_cast<size_t>(i)] = deal.hands[1];
                out[static_cast<size_t>(count + i)] = deal.hands[2];
            }
            return copied<uint64_t, nb::ndim<2>>(out, {size_t{2}, static_cast<size_t>(count)});
        },
        "hand"_a, "seed"_a, "count"_a, "Hands that the two others may hold beside a hand of 17 cards: (2, count).");
    nb::enum_<Card>(m, "CardPlayer", "The rule player behind the cards.")
        .value("RB", Card::Rb)
        .value("RHCP", Card::Rhcp)
        .value("GREEDY", Card::Greedy);
    nb::class_<Member>(m, "Member", "A player of the population.")
        .def(
            "__init__",
            [](Member* self, std::string id, double bias, double noise, Card card, double slips, double activity) {
                new (self) Member{std::move(id), bias, noise, card, slips, activity};
            },
            "id"_a, nb::kw_only(), "bias"_a, "noise"_a, "card"_a, "slips"_a, "activity"_a)
        .def_ro("id", &Member::id)
        .def_ro("bias", &Member::bias, "How much a hand is over-rated, in logarithms of odds.")
        .def_ro("noise", &Member::noise, "Scale of the logistic noise of every decision.")
        .def_ro("card", &Member::card)
        .def_ro("slips", &Member::slips, "Chance that a move is any legal one.")
        .def_ro("activity", &Member::activity);
    nb::class_<Shares>(m, "Shares", "Shares of the games of a log.")
        .def(
            "__init__",
            [](Shares* self, double call_rob, double left, double cut, double wrong_first, double torn) {
                new (self) Shares{call_rob, left, cut, wrong_first, torn};
            },
            nb::kw_only(), "call_rob"_a = Shares{}.call_rob, "left"_a = Shares{}.left, "cut"_a = Shares{}.cut,
            "wrong_first"_a = Shares{}.wrong_first, "torn"_a = Shares{}.torn)
        .def_ro("call_rob", &Shares::call_rob)
        .def_ro("left", &Shares::left)
        .def_ro("cut", &Shares::cut)
        .def_ro("wrong_first", &Shares::wrong_first)
        .def_ro("torn", &Shares::torn);
    nb::class_<Population>(m, "Population", "Players with a temper and a skill, and games between them.")
        .def(nb::init<std::vector<Member>, const Shares&, const Weights&>(), "members"_a, "shares"_a, "greedy"_a)
        .def("__len__", &Population::size)
        .def(
            "simulate",
            [](Population& self, uint64_t seed, int64_t first, int games, int threads, const Convention& convention,
               Budget& budget) {
                std::string out;
                {
                    nb::gil_scoped_release released;
                    out = self.simulate(seed, first, games, threads, convention, budget);
                }
                return nb::bytes(out.data(), out.size());
            },
            "seed"_a, "first"_a, "games"_a, "threads"_a, "convention"_a, "budget"_a,
            "Lines of a log. They depend on the seed and the number of a game alone.")
        .def(
            "outcomes",
            [](Population& self, const DealArray& deals, const SeatArray& seats, uint64_t seed, Budget& budget) {
                std::vector<std::array<int, kSeats>> players(seats.shape(0));
                for (size_t i = 0; i < players.size(); ++i) {
                    for (int seat = 0; seat < kSeats; ++seat) players[i][seat] = seats.data()[kSeats * i + seat];
                }
                const std::vector<Deal> all = deals_of(deals);
                std::vector<Outcome> played;
                {
                    nb::gil_scoped_release released;
                    played = self.outcomes(all, players, seed, budget);
                }
                std::vector<uint8_t> won, doublings;
                std::vector<uint64_t> left;
                for (const Outcome& outcome : played) {
                    won.push_back(outcome.landlord_won);
                    doublings.push_back(outcome.doublings);
                    left.insert(left.end(), outcome.left.begin(), outcome.left.end());
                }
                const size_t rows = played.size() / kSeats, seat_count = kSeats;
                return nb::make_tuple(copied<uint8_t, nb::ndim<2>>(won, {rows, seat_count}),
                                      copied<uint8_t, nb::ndim<2>>(doublings, {rows, seat_count}),
                                      copied<uint64_t, nb::ndim<3>>(left, {rows, seat_count, seat_count}));
            },
            "deals"_a, "seats"_a, "seed"_a, "budget"_a,
            nb::sig("def outcomes(self, deals: numpy.typing.NDArray[numpy.uint64], seats: numpy.typing.NDArray[numpy.int32], "
                    "seed: int, budget: mingpai._native.core.Budget) -> tuple[numpy.typing.NDArray[numpy.uint8], "
                    "numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint64]]"),
            "Card play of each deal, once for each landlord: (deals, 3) landlord won, (deals, 3) doublings, (deals, 3, 3) what "
            "each seat holds at the end.")
        .def(
            "relive",
            [](Population& self, const HandArray& hands, const PlayerArray& strong, int games, uint64_t seed, Budget& budget) {
                const std::vector<Hand> all = hands_of(hands);
                const std::vector<int> players(strong.data(), strong.data() + strong.shape(0));
                std::vector<Population::Labels> lived;
                {
                    nb::gil_scoped_release released;
                    lived = self.relive(all, players, games, seed, budget);
                }
                std::vector<int32_t> out;
                for (const auto& labels : lived) out.insert(out.end(), labels.begin(), labels.end());
                return copied<int32_t, nb::ndim<4>>(out, {all.size(), kAskPhases, kBidValues, 2});
            },
            "hands"_a, "strong"_a, "games"_a, "seed"_a, "budget"_a,
            "Labels that cleaning would give if each hand were dealt many times to strong players: (hands, phase, value, label).");
}

}  // namespace

void bind_bidding(nb::module_& m) {
    m.attr("EXAMPLES") = kKeptExamples;
    bind_raw(m);
    bind_log(m);
    bind_population(m);
}

}  // namespace mingpai::bind
