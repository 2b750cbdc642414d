// Exact search of two-handed open positions. Players are 0 and 1; inside the search every answer is for the player to move.
#pragma once
#include "native/endgame/search.hpp"

namespace mingpai::endgame {

class TwoHanded : public Search {
  public:
    TwoHanded(AnswerTable& table, core::Budget& budget, size_t max_hand_bytes, const Pruning& pruning,
              const std::atomic<bool>* stop = nullptr)
        : Search(table, budget, max_hand_bytes, pruning, stop) {}

    void reset(const Position& root, const Rules& rules) override;
    Answer solve(const Position& position) override;
    Answer solve_move(const Position& position, const Move& move) override;
    State state_of(const Position& position) override;
    void list_choices(const State& state, std::vector<Choice>& out) override;
    State after(const State& state, const Choice& choice) override;
    Answer solve(const State& state) override;
    void record(const State& state, bool landlord_wins, uint64_t nodes) override;
    void trim() override;
    int turns(int seat, Hand hand) override { return hands_[seat].turns(hands_[seat].number_of(hand)); }

  private:
    struct Key {
        uint64_t key;
        int threshold;
        bool is_canonical;
    };

    // The hands of a state as numbers, and what is known of them.
    struct Sides {
        uint32_t own, other;
        const HandInfo &hand, &opponent;
    };
    Sides sides_of(const State& state);
    static Reply to_beat(const State& state) { return {state.cls, state.threshold}; }
    // `mover` follows if there is a reply, else the other leads.
    static State settled(const std::array<Hand, kMaxPlayers>& hands, int mover, Reply reply);

    Answer lead(int mover, uint32_t own, uint32_t other);
    Answer follow(int mover, uint32_t own, uint32_t other, Reply reply);
    // For the player of the move, which leaves him `own`.
    Answer after(int mover, uint32_t own, uint32_t other, const HandInfo& opponent, Class cls, int rank);
    bool takes_control(int mover, uint32_t own, const HandInfo& hand, const HandInfo& opponent, Reply to_beat);
    void add_leads(int mover, uint32_t own, const HandInfo& hand, const HandInfo& opponent);
    void add_follows(int mover, uint32_t own, const HandInfo& hand, const HandInfo& opponent, Reply reply);
    bool is_losing_to_finish(const HandInfo& opponent, Reply reply) const {
        return pruning_.finish && reply && can_finish(opponent, reply.cls, reply.threshold);
    }
    // What the table says of the position with a group of either hand raised; the key is not canonical.
    Answer compare(int mover, const HandInfo& hand, const HandInfo& opponent, const Key& key) const;
    Key key_of(int mover, uint32_t own, uint32_t other, const HandInfo& hand, const HandInfo& opponent, Reply reply) const;
    size_t hand_bytes() const { return hands_[0].bytes() + hands_[1].bytes(); }
    bool enter_node() {
        return enter([this] { return hand_bytes(); });
    }

    HandTable hands_[2];
};

}  // namespace mingpai::endgame
