#include <nanobind/nanobind.h>
#include <nanobind/operators.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <vector>

#include "native/bind/arrays.hpp"
#include "native/bind/parts.hpp"
#include "native/doudizhu/batch.hpp"
#include "native/doudizhu/perft.hpp"
#include "native/doudizhu/text.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace mingpai::doudizhu;
using mingpai::core::Budget;
using mingpai::core::Rng;

namespace mingpai::bind {
namespace {

// Legal moves as Python sees them: exactly as large as needed.
struct Moves {
    std::vector<Move> list;
};

// Every move that exists under some rules, with its number: the place in the order of `comes_before`.
class MoveTable {
  public:
    explicit MoveTable(const Rules& rules) : moves_(all_moves(rules)) {}

    const std::vector<Move>& moves() const { return moves_; }
    // -1 when the move does not exist.
    int32_t number(const Move& move) const {
        const auto place = std::lower_bound(moves_.begin(), moves_.end(), move, comes_before);
        return place != moves_.end() && *place == move ? static_cast<int32_t>(place - moves_.begin()) : -1;
    }

  private:
    std::vector<Move> moves_;
};

// The list that generation writes to before the exact copy. Calls hold the GIL or their own list.
MoveList& scratch() {
    static thread_local MoveList list;
    return list;
}

Hand checked_hand(Hand hand) {
    if (!is_hand(hand)) throw nb::value_error("not a hand: more cards of a rank than the deck has");
    if (card_count(hand) > kMaxHandCards) throw nb::value_error("not a hand: more than 20 cards");
    return hand;
}

int checked_seat(int seat) {
    if (seat < 0 || seat >= kSeats) throw nb::value_error("seat: expected 0, 1 or 2");
    return seat;
}

const Move& checked_last(const Move& last) {
    if (last.is_pass()) throw nb::value_error("a pass cannot be beaten: use lead_moves");
    return last;
}

Moves moves_of(const MoveList& list) { return {std::vector<Move>(list.begin(), list.end())}; }

// Cards as a Python integer, a new reference. Only about 30,000 sets of cards are moves, so the integers are kept and shared:
// making them anew would be most of the cost of a list. Called with the GIL held.
PyObject* cards_number(Hand cards) {
    struct Slot {
        Hand cards;
        PyObject* number;
    };
    constexpr int kSlotBits = 16;
    static Slot slots[1 << kSlotBits];
    Slot& slot = slots[(cards * 0x9E3779B97F4A7C15ULL) >> (64 - kSlotBits)];
    if (!slot.number || slot.cards != cards) {
        PyObject* number = PyLong_FromUnsignedLongLong(cards);
        if (!number) throw nb::python_error();
        Py_XDECREF(slot.number);
        slot = {cards, number};
    }
    return Py_NewRef(slot.number);
}

nb::object cards_list(const Move* begin, const Move* end) {
    PyObject* list = PyList_New(end - begin);
    if (!list) throw nb::python_error();
    Py_ssize_t i = 0;
    nb::object owned = nb::steal(list);
    for (const Move* move = begin; move != end; ++move) PyList_SET_ITEM(list, i++, cards_number(move->cards));
    return owned;
}

// A column of a list of moves, without a copy: it keeps the list alive.
template <class T>
nb::ndarray<nb::numpy, const T, nb::ndim<1>> column(nb::handle self, const T Move::* field) {
    const auto& list = nb::cast<const Moves&>(self).list;
    const T* data = list.empty() ? nullptr : &(list.data()->*field);
    const size_t shape[] = {list.size()};
    const int64_t strides[] = {static_cast<int64_t>(sizeof(Move) / sizeof(T))};
    return nb::ndarray<nb::numpy, const T, nb::ndim<1>>(data, 1, shape, self, strides);
}

nb::ndarray<nb::numpy, const uint8_t, nb::ndim<1>> types_column(nb::handle self) {
    static_assert(sizeof(Type) == 1);
    const auto& list = nb::cast<const Moves&>(self).list;
    const auto* data = list.empty() ? nullptr : reinterpret_cast<const uint8_t*>(&list.data()->type);
    const size_t shape[] = {list.size()};
    const int64_t strides[] = {static_cast<int64_t>(sizeof(Move))};
    return nb::ndarray<nb::numpy, const uint8_t, nb::ndim<1>>(data, 1, shape, self, strides);
}

const Move& at(const Moves& moves, int64_t i) {
    const auto size = static_cast<int64_t>(moves.list.size());
    if (i < 0) i += size;
    if (i < 0 || i >= size) throw nb::index_error("move index out of range");
    return moves.list[static_cast<size_t>(i)];
}

nb::list python_list(const Moves& moves) {
    nb::list out;
    for (const Move& move : moves.list) out.append(nb::cast(move));
    return out;
}

size_t hash_of(const Move& move) {
    uint64_t x = move.cards ^ (static_cast<uint64_t>(move.type) << 60) ^ (static_cast<uint64_t>(move.rank) << 52);
    x *= 0x9E3779B97F4A7C15ULL;
    return static_cast<size_t>(x ^ (x >> 32));
}

template <class Names>
nb::tuple names_of(const Names& names) {
    nb::list out;
    for (const std::string_view name : names) out.append(nb::str(name.data(), name.size()));
    return nb::tuple(out);
}

std::optional<int> seat_or_none(uint8_t seat) { return seat == kNobody ? std::nullopt : std::optional<int>(seat); }

void bind_moves(nb::module_& m) {
    nb::enum_<Type> type(m, "Type", nb::is_arithmetic(), "The types of moves.");
    static constexpr const char* kNames[] = {
        "PASS",       "SINGLE",   "PAIR",          "TRIPLE",   "TRIPLE_SINGLE",    "TRIPLE_PAIR",
        "STRAIGHT",   "PAIR_STRAIGHT", "AIRPLANE", "AIRPLANE_SINGLES", "AIRPLANE_PAIRS", "FOUR_SINGLES",
        "FOUR_PAIRS", "BOMB",     "ROCKET",        "FOUR_STRAIGHT", "FOUR_STRAIGHT_SINGLES", "FOUR_STRAIGHT_PAIRS",
    };
    static_assert(std::size(kNames) == kTypes);
    for (int i = 0; i < kTypes; ++i) type.value(kNames[i], static_cast<Type>(i));

    nb::class_<Move>(m, "Move", "Cards and how they are read. Immutable.")
        .def(
            "__init__",
            [](Move* self, Hand cards, Type type, int rank, int length) {
                if (rank < 0 || rank >= kRanks) throw nb::value_error("rank: expected 0 to 14");
                if (length < 0 || length >= kRanks) throw nb::value_error("length: expected 0 to 14");
                new (self) Move{checked_hand(cards), type, static_cast<uint8_t>(rank), static_cast<uint8_t>(length),
                                static_cast<uint8_t>(card_count(cards))};
            },
            "cards"_a = 0, "type"_a = Type::Pass, "rank"_a = 0, "length"_a = 0, "Without arguments the pass.")
        .def_ro("cards", &Move::cards, "15 counts of four bits.")
        .def_ro("type", &Move::type)
        .def_ro("rank", &Move::rank, "Lowest rank of the main part.")
        .def_ro("length", &Move::length, "Ranks in the main part: 1 unless a chain; 0 for a pass.")
        .def_ro("size", &Move::size, "Number of cards.")
        .def_prop_ro("is_pass", &Move::is_pass)
        .def_prop_ro("is_bomb", &Move::is_bomb, "Bomb or rocket.")
        .def("beats", [](const Move& self, const Move& last) { return beats(self, last); }, "last"_a)
        .def("__eq__", [](const Move& a, nb::handle b) { return nb::isinstance<Move>(b) && a == nb::cast<const Move&>(b); },
             nb::arg().none())
        .def("__hash__", &hash_of)
        .def("__str__", [](const Move& self) { return text_of(self); })
        .def("__repr__", [](const Move& self) { return "Move('" + text_of(self) + "')"; })
        .def("__copy__", [](const Move& self) { return self; })
        .def("__deepcopy__", [](const Move& self, nb::handle) { return self; }, "memo"_a);

    nb::class_<Moves>(m, "Moves", "Legal moves in a fixed order.")
        .def("__len__", [](const Moves& self) { return self.list.size(); })
        .def("__getitem__", &at, "index"_a)
        .def("__iter__", [](const Moves& self) { return nb::iter(python_list(self)); },
             nb::sig("def __iter__(self) -> collections.abc.Iterator[Move]"))
        .def(
            "index",
            [](const Moves& self, const Move& move) {
                const auto place = std::find(self.list.begin(), self.list.end(), move);
                if (place == self.list.end()) throw nb::value_error("not among the moves");
                return place - self.list.begin();
            },
            "move"_a)
        .def("to_list", &python_list, nb::sig("def to_list(self) -> list[Move]"))
        .def_prop_ro("cards", [](nb::handle self) { return column(self, &Move::cards); }, "Cards of every move.")
        .def_prop_ro("types", &types_column)
        .def_prop_ro("ranks", [](nb::handle self) { return column(self, &Move::rank); })
        .def_prop_ro("lengths", [](nb::handle self) { return column(self, &Move::length); })
        .def_prop_ro("sizes", [](nb::handle self) { return column(self, &Move::size); });
}

void bind_rules(nb::module_& m) {
    nb::enum_<Bidding>(m, "Bidding", "How the landlord is found.")
        .value("NONE", Bidding::None)
        .value("SCORE", Bidding::Score)
        .value("AUCTION", Bidding::Auction)
        .value("CALL_ROB", Bidding::CallRob);
    nb::class_<Rules>(m, "Rules", "The switches of a rule profile. Immutable: `replace` makes another.")
        .def_ro("types", &Rules::types, "Bit per Type: moves of other types do not exist.")
        .def_ro("same_kicker_limit", &Rules::same_kicker_limit)
        .def_ro("beside_kicker_limit", &Rules::beside_kicker_limit)
        .def_ro("both_jokers_as_kickers", &Rules::both_jokers_as_kickers)
        .def_ro("same_pair_kickers", &Rules::same_pair_kickers)
        .def_ro("bidding", &Rules::bidding)
        .def_ro("spring_doubles", &Rules::spring_doubles)
        .def_ro("bombs_double", &Rules::bombs_double)
        .def_ro("unit_score", &Rules::unit_score)
        .def("allows", [](const Rules& self, Type type) { return self.allows(type); }, "type"_a)
        .def(
            "without",
            [](Rules self, Type type) {
                self.ban(type);
                return self;
            },
            "type"_a, "The same rules without a type of moves.")
        .def(
            "with_bidding",
            [](Rules self, Bidding bidding) {
                self.bidding = bidding;
                return self;
            },
            "bidding"_a)
        .def("__eq__", [](const Rules& a, nb::handle b) { return nb::isinstance<Rules>(b) && a == nb::cast<const Rules&>(b); },
             nb::arg().none());
    m.def(
        "profile",
        [](const std::string& name) {
            const Rules* rules = find_profile(name);
            if (!rules) throw nb::value_error("no such profile");
            return *rules;
        },
        "name"_a, "The rules of a named profile.");
    m.def(
        "profile_names",
        [] {
            nb::list names;
            for (const auto& profile : kProfiles) names.append(nb::str(profile.name.data(), profile.name.size()));
            return nb::tuple(names);
        },
        nb::sig("def profile_names() -> tuple[str, ...]"), "The named profiles, the default first.");
    m.def("type_names", [] { return names_of(kTypeNames); }, nb::sig("def type_names() -> tuple[str, ...]"),
          "How the types of moves are written, in the order of Type.");
    m.attr("RANKS") = nb::str(kRankLetters.data(), kRankLetters.size());
    m.attr("FULL_DECK") = kFullDeck;
    m.attr("MAX_HAND_CARDS") = kMaxHandCards;
    m.attr("STATE_BYTES") = sizeof(State);
}

void bind_generation(nb::module_& m) {
    m.def(
        "lead_moves",
        [](Hand hand, const Rules& rules) {
            lead_moves(checked_hand(hand), rules, scratch());
            return moves_of(scratch());
        },
        "hand"_a, "rules"_a, "The moves of a seat that leads.");
    m.def(
        "follow_moves",
        [](Hand hand, const Move& last, const Rules& rules) {
            follow_moves(checked_hand(hand), checked_last(last), rules, scratch());
            return moves_of(scratch());
        },
        "hand"_a, "last"_a, "rules"_a, "The moves that beat `last`, then the pass.");
    m.def(
        "legal_cards",
        [](Hand hand, const Move& last, const Rules& rules) {
            legal_moves(checked_hand(hand), last, rules, scratch());
            return cards_list(scratch().begin(), scratch().end());
        },
        "hand"_a, "last"_a, "rules"_a, nb::sig("def legal_cards(hand: int, last: Move, rules: Rules) -> list[int]"),
        "The cards of every legal move on `last` (a pass: leads), 0 for the pass: the quickest form.");
    m.def(
        "count_moves",
        [](nb::ndarray<const uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> hands, const Move& last, const Rules& rules,
           int repeats) {
            const uint64_t *begin = hands.data(), *end = begin + hands.shape(0);
            for (const uint64_t* hand = begin; hand != end; ++hand) checked_hand(*hand);
            nb::gil_scoped_release release;
            MoveList& list = scratch();
            uint64_t total = 0;
            for (int round = 0; round < repeats; ++round) {
                for (const uint64_t* hand = begin; hand != end; ++hand) {
                    legal_moves(*hand, last, rules, list);
                    total += static_cast<uint64_t>(list.size());
                }
            }
            return total;
        },
        "hands"_a, "last"_a, "rules"_a, "repeats"_a = 1, "Lists the moves of many hands and adds up their numbers.");
    m.def(
        "can_beat",
        [](Hand hand, const Move& last, const Rules& rules) { return can_beat(checked_hand(hand), checked_last(last), rules); },
        "hand"_a, "last"_a, "rules"_a, "Whether some move of the hand beats `last`.");
    m.def(
        "is_legal",
        [](Hand hand, const Move& move, const Move& last, const Rules& rules) { return is_legal(hand, move, last, rules); },
        "hand"_a, "move"_a, "last"_a, "rules"_a);
    m.def(
        "classify",
        [](Hand cards, const Rules& rules) {
            const Readings readings = classify(checked_hand(cards), rules);
            return Moves{std::vector<Move>(readings.begin(), readings.end())};
        },
        "cards"_a, "rules"_a, "All readings of a set of cards as one move; empty if it is none.");
    m.def("all_moves", [](const Rules& rules) { return Moves{all_moves(rules)}; }, "rules"_a,
          "Every move that exists, the pass first.");
    nb::class_<MoveTable>(m, "MoveTable", "Every move that exists under some rules, with a fixed number.")
        .def(nb::init<const Rules&>(), "rules"_a)
        .def("__len__", [](const MoveTable& self) { return self.moves().size(); })
        .def("moves", [](const MoveTable& self) { return Moves{self.moves()}; }, "Number -> move, the pass first.")
        .def("number", &MoveTable::number, "move"_a, "The number of a move, -1 if it does not exist.")
        .def(
            "numbers",
            [](const MoveTable& self, const Moves& moves) {
                auto out = new_array<int32_t>({moves.list.size()});
                std::transform(moves.list.begin(), moves.list.end(), out.data(),
                               [&](const Move& move) { return self.number(move); });
                return out;
            },
            "moves"_a, "The numbers of many moves, -1 where one does not exist.");
    m.def("cards_text", [](Hand cards) { return text_of(cards); }, "cards"_a, "Cards from low to high.");
    m.def("card_count", [](Hand cards) { return card_count(cards); }, "cards"_a);
    m.def("is_hand", [](Hand cards) { return is_hand(cards); }, "cards"_a);
    m.def("holds", [](Hand hand, Hand cards) { return is_hand(hand) && is_hand(cards) && holds(hand, cards); }, "hand"_a,
          "cards"_a, "Whether the hand has all the cards.");
}

void bind_state(nb::module_& m) {
    nb::enum_<Phase>(m, "Phase").value("BID", Phase::Bid).value("PLAY", Phase::Play).value("OVER", Phase::Over);
    nb::class_<Deal>(m, "Deal", "The cards of a deal before the bidding.")
        .def(
            "__init__",
            [](Deal* self, std::array<Hand, kSeats> hands, Hand bottom) {
                new (self) Deal{hands, checked_hand(bottom)};
                Hand seen = bottom;
                for (const Hand hand : hands) {
                    checked_hand(hand);
                    if (!holds(kFullDeck - seen, hand)) throw nb::value_error("more cards of a rank than the deck has");
                    seen += hand;
                }
            },
            "hands"_a, "bottom"_a = 0)
        .def_ro("hands", &Deal::hands)
        .def_ro("bottom", &Deal::bottom);
    m.def(
        "shuffled_deal",
        [](uint64_t seed) {
            Rng rng(seed);
            return shuffled_deal(rng);
        },
        "seed"_a, "17 cards each and three at the bottom.");

    nb::class_<Status>(m, "Status", "Everything about a deal but the cards.")
        .def_ro("last", &Status::last, "The move to beat; a pass when the seat to move leads.")
        .def_ro("phase", &Status::phase)
        .def_prop_ro("turn", [](const Status& s) { return static_cast<int>(s.turn); }, "Seat to move; the winner when over.")
        .def_prop_ro("first", [](const Status& s) { return static_cast<int>(s.first); }, "Seat that bids first.")
        .def_prop_ro("landlord", [](const Status& s) { return seat_or_none(s.landlord); })
        .def_prop_ro("owner", [](const Status& s) { return seat_or_none(s.owner); }, "Seat that played `last`.")
        .def_prop_ro("caller", [](const Status& s) { return seat_or_none(s.caller); }, "Call and rob: who called.")
        .def_prop_ro("bidder", [](const Status& s) { return seat_or_none(s.bidder); })
        .def_ro("bombs", &Status::bombs, "Bombs and rockets played.")
        .def_ro("bid", &Status::bid, "Highest bid; with call and rob 1, doubled by each rob.")
        .def("doublings", &Status::doublings, "rules"_a, "How often the stake has doubled by the end, as far as the rules count it.")
        .def("bomb_doublings", &Status::bomb_doublings, "rules"_a, "The same before the end: of the bombs alone.");

    nb::class_<State>(m, "State", "A deal in progress.")
        .def(nb::init<const State&>(), "other"_a)
        .def_static(
            "start",
            [](const Deal& deal, const Rules& rules, int first) { return State::start(deal, rules, checked_seat(first)); },
            "deal"_a, "rules"_a, "first"_a = 0, "At the first bid.")
        .def_static(
            "start_play",
            [](const Deal& deal, const Rules& rules, int landlord, uint8_t bid) {
                checked_hand(deal.hands[checked_seat(landlord)] + deal.bottom);
                return State::start_play(deal, rules, landlord, bid);
            },
            "deal"_a, "rules"_a, "landlord"_a = 0, "bid"_a = 1, "Without bidding.")
        .def_ro("hands", &State::hands, "What each seat holds now.")
        .def_ro("played", &State::played, "What each seat has played.")
        .def_ro("bottom", &State::bottom)
        .def_ro("rules", &State::rules)
        .def_ro("status", &State::status)
        .def_prop_ro("is_over", &State::is_over)
        .def_prop_ro("to_move", [](const State& s) { return s.is_over() ? std::nullopt : std::optional<int>(s.to_move()); })
        .def_prop_ro("is_void", &State::is_void, "All passed.")
        .def("deal", &State::deal)
        .def(
            "legal_bids",
            [](const State& self) {
                nb::list out;
                for (uint32_t bids = self.legal_bids(); bids; bids &= bids - 1) out.append(core::lowest(bids));
                return out;
            },
            nb::sig("def legal_bids(self) -> list[int]"))
        .def("legal_moves",
             [](const State& self) {
                 if (self.status.phase != Phase::Play) return Moves{};
                 self.legal_moves(scratch());
                 return moves_of(scratch());
             })
        .def("is_legal",
             [](const State& self, const Move& move) { return self.status.phase == Phase::Play && self.is_legal(move); },
             "move"_a)
        .def(
            "bid",
            [](State& self, int value) {
                if (value < 0 || value > kMaxBid || !(self.legal_bids() >> value & 1)) throw nb::value_error("illegal bid");
                return self.bid(value);
            },
            "value"_a, "Makes a bid; returns what `undo_bid` needs.")
        .def("undo_bid", &State::undo_bid, "before"_a)
        .def(
            "play",
            [](State& self, const Move& move) {
                if (self.status.phase != Phase::Play || !self.is_legal(move)) throw nb::value_error("illegal move");
                return self.play(move);
            },
            "move"_a, "Makes a move; returns what `undo_play` needs.")
        .def("undo_play", &State::undo_play, "move"_a, "before"_a)
        .def_prop_ro("is_spring", &State::is_spring, "Spring or anti-spring; only when over.")
        .def("points", &State::points, "Points of each seat; only when over.")
        .def("view", [](const State& self, int seat) { return self.view(checked_seat(seat)); }, "seat"_a)
        .def("__eq__", [](const State& a, nb::handle b) { return nb::isinstance<State>(b) && a == nb::cast<const State&>(b); },
             nb::arg().none());

    nb::class_<View>(m, "View", "What one seat may know of a state.")
        .def_ro("hand", &View::hand)
        .def_ro("played", &View::played)
        .def_ro("bottom", &View::bottom, "0 while face down.")
        .def_ro("counts", &View::counts, "Cards that each seat holds.")
        .def_prop_ro("seat", [](const View& v) { return static_cast<int>(v.seat); })
        .def_ro("rules", &View::rules)
        .def_ro("status", &View::status)
        .def("known_of_landlord", &View::known_of_landlord, "Bottom cards that the landlord must still hold.")
        .def("unseen", &View::unseen, "deck"_a = kFullDeck, "Cards whose place the seat does not know.")
        .def("may_double", &View::may_double, "deck"_a = kFullDeck,
             "Whether the stake may still double, as far as the seat can tell: a spring, or a bomb in its hand or in another.")
        .def("agrees",
             [](const View& self, std::array<Hand, kSeats> hands, Hand bottom, Hand deck) {
                 return self.agrees(hands, bottom, deck);
             },
             "hands"_a, "bottom"_a, "deck"_a = kFullDeck, "Whether a state with these cards looks like this to the seat.")
        .def(
            "with_hands",
            [](const View& self, std::array<Hand, kSeats> hands, Hand bottom, Hand deck) {
                if (!self.agrees(hands, bottom, deck)) throw nb::value_error("the hands do not agree with the view");
                return self.with_hands(hands, bottom);
            },
            "hands"_a, "bottom"_a, "deck"_a = kFullDeck, "The state with these hands at the seats.")
        .def(
            "sample",
            [](const View& self, uint64_t seed, int count, Hand deck) {
                Rng rng(seed);
                nb::list out;
                for (int i = 0; i < count; ++i) out.append(nb::cast(self.sample(rng, deck)));
                return out;
            },
            "seed"_a, "count"_a, "deck"_a = kFullDeck,
            nb::sig("def sample(self, seed: int, count: int, deck: int = ...) -> list[State]"),
            "States that agree with the view, uniformly.")
        .def(
            "sample_hands",
            [](const View& self, uint64_t seed, size_t count, Hand deck) {
                auto out = new_array<uint64_t>({count, kSeats + 1});
                uint64_t* row = out.data();
                nb::gil_scoped_release release;
                Rng rng(seed);
                for (size_t i = 0; i < count; ++i, row += kSeats + 1) {
                    const State state = self.sample(rng, deck);
                    std::copy(state.hands.begin(), state.hands.end(), row);
                    row[kSeats] = state.bottom;
                }
                return out;
            },
            "seed"_a, "count"_a, "deck"_a = kFullDeck, "The same as an array: three hands and the bottom cards in each row.")
        .def(
            "observe",
            [](const View& self) {
                auto planes = new_array<uint8_t>({kPlanes, kRanks});
                auto facts = new_array<uint8_t>({kFacts});
                write_observation(self, planes.data(), facts.data());
                return nb::make_tuple(planes, facts);
            },
            nb::sig("def observe(self) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint8]]"),
            "The view as counts (planes, 15) and facts.")
        .def("__eq__", [](const View& a, nb::handle b) { return nb::isinstance<View>(b) && a == nb::cast<const View&>(b); },
             nb::arg().none());
}

using Actions = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void bind_batch(nb::module_& m) {
    nb::enum_<Policy>(m, "Policy", "Built-in policies.").value("RANDOM", Policy::Random).value("GREEDY", Policy::Greedy);
    nb::class_<Batch>(m, "Batch", "Many deals stepped together.")
        .def(
            "__init__",
            [](Batch* self, int games, uint64_t seed, const Rules& rules, bool with_bidding) {
                if (games < 1) throw nb::value_error("games: expected at least 1");
                new (self) Batch(games, seed, rules, with_bidding);
            },
            "games"_a, "seed"_a, "rules"_a, "with_bidding"_a = false)
        .def("__len__", &Batch::games)
        .def("reset", &Batch::reset, "New deals in all games.")
        .def("redeal", &Batch::redeal, "New deals in the games that are over; returns their number.")
        .def(
            "state",
            [](const Batch& self, int game) {
                if (game < 0 || game >= self.games()) throw nb::index_error("no such game");
                return self.state(game);
            },
            "game"_a)
        .def("choices", [](const Batch& self) { return Moves{self.choices()}; },
             "The legal moves of all games in one list; during the bidding, bids as moves whose rank is the bid.")
        .def(
            "offsets", [](const Batch& self) { return copied<int64_t>(self.offsets(), {self.offsets().size()}); },
            "The choices of game g are entries offsets[g] to offsets[g + 1].")
        .def(
            "observe",
            [](const Batch& self) {
                const auto games = static_cast<size_t>(self.games());
                auto planes = new_array<uint8_t>({games, kPlanes, kRanks});
                auto facts = new_array<uint8_t>({games, kFacts});
                self.observe(planes.data(), facts.data());
                return nb::make_tuple(planes, facts);
            },
            nb::sig("def observe(self) -> tuple[numpy.typing.NDArray[numpy.uint8], numpy.typing.NDArray[numpy.uint8]]"),
            "What the seats to move see: counts (games, planes, 15) and facts (games, facts).")
        .def(
            "step",
            [](Batch& self, Actions actions) {
                if (actions.shape(0) != static_cast<size_t>(self.games())) throw nb::value_error("one action per game");
                nb::gil_scoped_release release;
                self.step(actions.data());
            },
            "actions"_a, "Makes choice actions[g] in every game that is not over.")
        .def("step_with", &Batch::step_with, "policy"_a, nb::call_guard<nb::gil_scoped_release>(),
             "Lets a built-in policy choose in every game that is not over.")
        .def("over",
             [](const Batch& self) {
                 auto out = new_array<bool>({static_cast<size_t>(self.games())});
                 for (int game = 0; game < self.games(); ++game) out.data()[game] = self.state(game).is_over();
                 return out;
             })
        .def("turns",
             [](const Batch& self) {
                 auto out = new_array<uint8_t>({static_cast<size_t>(self.games())});
                 for (int game = 0; game < self.games(); ++game) out.data()[game] = self.state(game).status.turn;
                 return out;
             },
             "Seat to move in each game.")
        .def(
            "points",
            [](const Batch& self) {
                const auto games = static_cast<size_t>(self.games());
                auto out = new_array<int32_t>({games, kSeats});
                int32_t* row = out.data();
                for (int game = 0; game < self.games(); ++game, row += kSeats) {
                    const State& state = self.state(game);
                    const auto points = state.is_over() ? state.points() : std::array<int32_t, kSeats>{};
                    std::copy(points.begin(), points.end(), row);
                }
                return out;
            },
            "Points of each seat, zero in games that go on.");
    m.def("plane_names", [] { return names_of(kPlaneNames); }, nb::sig("def plane_names() -> tuple[str, ...]"),
          "The planes of an observation.");
    m.def("fact_names", [] { return names_of(kFactNames); }, nb::sig("def fact_names() -> tuple[str, ...]"),
          "The facts of an observation; 255 stands for nobody.");
    m.attr("FEATURE_VERSION") = kFeatureVersion;

    m.def(
        "greedy_choice",
        [](const State& state) {
            state.legal_moves(scratch());
            return scratch()[greedy_move(state, scratch())];
        },
        "state"_a, "What the greedy policy plays. It looks at its own cards and at public facts only.");
    m.def("bid_strength", &bid_strength, "hand"_a,
          "High cards of a hand: one for each joker and 2, two more for each bomb and for the rocket.");
    m.def("wanted_bid", &wanted_bid, "hand"_a, "The bid that the strength is worth: 3 from 6, 2 from 5, 1 from 4, and 0 below.");
    m.def(
        "perft", [](State state, int depth) { return perft(state, depth); }, "state"_a, "depth"_a,
        nb::call_guard<nb::gil_scoped_release>(), "Number of sequences of `depth` bids and moves; finished deals count once.");
    m.def(
        "simulate",
        [](int games, uint64_t seed, const Rules& rules, std::array<Policy, kSeats> policies, bool with_bidding,
           Budget* budget) {
            if (games < 0) throw nb::value_error("games: expected at least 0");
            constexpr size_t kColumns = 5 + kSeats;
            std::vector<Outcome> outcomes(static_cast<size_t>(games));
            Budget unlimited;
            size_t done;
            {
                nb::gil_scoped_release release;
                done = static_cast<size_t>(
                    simulate(games, seed, rules, with_bidding, policies, budget ? *budget : unlimited, outcomes.data()));
            }
            auto out = new_array<int32_t>({done, kColumns});
            int32_t* row = out.data();
            for (size_t i = 0; i < done; ++i, row += kColumns) {
                const Outcome& o = outcomes[i];
                const int32_t values[kColumns] = {o.landlord, o.winner,    o.bombs,     o.spring,
                                                  o.length,   o.points[0], o.points[1], o.points[2]};
                std::copy(values, values + kColumns, row);
            }
            return out;
        },
        "games"_a, "seed"_a, "rules"_a, "policies"_a, "with_bidding"_a = false, "budget"_a = nb::none(),
        "Plays deals with built-in policies by seat. Rows: landlord, winner (-1: all passed), bombs, spring, length, points of "
        "seats 0, 1, 2.");
}

}  // namespace

void bind_doudizhu(nb::module_& m) {
    bind_moves(m);
    bind_rules(m);
    bind_generation(m);
    bind_state(m);
    bind_batch(m);
}

}  // namespace mingpai::bind
