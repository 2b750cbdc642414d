// Exact search of two-handed open positions. Players are 0 and 1; inside the search every answer is for the player to move.
#pragma once
#include "native/endgame/search.hpp"

namespace mingpai::endgame {

class TwoHanded : public Search {
  public:
    TwoHanded(Table& table, core::Budget& budget, size_t max_hand_bytes, const Pruning& pruning,
              const std::atomic<bool>* stop = nullptr)
        : Search(table, budget, max_hand_bytes, pruning, stop) {}

    void reset(const Position& root, const Rules& rules) override;
    Answer solve(const Position& position) override;
    Answer solve_move(const Position& position, const Move& move) override;
    int turns(int seat, Hand hand) override { return hands_[seat].turns(hands_[seat].number_of(hand)); }

  private:
    struct Key {
        uint64_t key;
        int threshold;
        bool is_canonical;
    };

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
    Key key_of(int mover, uint32_t own, uint32_t other, const HandInfo& hand, const HandInfo& opponent, Reply reply) const;
    bool enter_node() {
        return enter([this] { return hands_[0].bytes() + hands_[1].bytes(); });
    }

    HandTable hands_[2];
};

}  // namespace mingpai::endgame
