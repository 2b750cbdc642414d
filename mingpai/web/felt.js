// The table: seats where people sit, cards that move, one hand to pick from. It draws what it is given (`scene`) and tells
// what the person did (`act`); which cards are picked is known here alone, so that a pick never waits for the server.
import { sounds } from "mingpai-sounds";

const RANK_KEYS = { 0: "10", T: "10", X: "小", D: "大" };
const LONGEST_BURST = 1100;

export default {
  props: { scene: Object },
  emits: ["act"],
  data() {
    return { up: [], groups: [], amount: 0, drag: null, burst: "", flush: -1, isWaiting: false, deal: "" };
  },
  template: `
  <section class="mp-table" :class="[scene.game, { inset: scene.inset, waiting: isWaiting, felt: burst, over: scene.sheet }]"
      :aria-label="words.table">
    <header class="mp-bar" v-if="scene.bar">
      <slot name="menu"></slot>
      <div class="mp-facts">
        <template v-if="!isRing"><span class="chip" v-for="fact in scene.facts">{{ fact }}</span></template>
        <span class="chip quiet" v-if="scene.match">{{ scene.match }}</span>
      </div>
      <slot name="tools"></slot>
    </header>
    <table class="mp-counter" v-if="scene.counter" :aria-label="words.counter">
      <tr><th v-for="[rank, left, word] in scene.counter" scope="col" :aria-label="word">{{ rank }}</th></tr>
      <tr><td v-for="[rank, left] in scene.counter" :class="{ none: !left, all: left >= 4 }">{{ left }}</td></tr>
    </table>
    <div class="mp-around" :class="'seats' + scene.seats.length">
      <div v-for="seat in others" :key="seat.seat" class="mp-seat" :data-seat="seat.seat" :style="ring(seat)"
          :class="[isRing ? 'circled' : seat.place, { turn: seat.turn, out: seat.out, boss: seat.boss, mate: seat.mate }]">
        <div class="who">
          <span class="face" :class="{ drawn: seat.portrait }" aria-hidden="true"><img v-if="seat.portrait" :src="seat.portrait" alt=""><em v-if="seat.sign">{{ seat.sign }}</em></span>
          <span class="names"><span class="name">{{ seat.name }}</span><span class="agent">{{ about(seat) }}</span></span>
          <span class="count" v-if="seat.count > 0 && !seat.hand" :class="{ few: seat.count < 3 && !isRing }"
            role="img" :aria-label="seat.count + ' ' + words.cards">{{ seat.count }}</span>
        </div>
        <div class="open" v-if="seat.hand"><span v-for="face in seat.hand" :class="face.classes + ' tiny'" role="img" :aria-label="face.label"><b>{{ face.rank }}</b><i>{{ corner(face) }}</i></span></div>
        <div class="last" :class="{ fly: seat.last.length }" :key="seat.moved">
          <span v-for="face in seat.last" :class="face.classes + ' small'" :data-card="face.code" role="img" :aria-label="face.label"><b>{{ face.rank }}</b><i>{{ corner(face) }}</i><s v-if="face.stands">{{ face.stands }}</s></span>
          <span class="said" v-if="seat.said">{{ seat.said }}</span>
          <span class="bet" v-if="seat.bet">{{ seat.bet }}</span>
        </div>
      </div>
      <div class="mp-centre">
        <div class="board" v-if="scene.centre.length"><span v-for="(face, n) in scene.centre" :key="n + face.code"
          :class="face.classes + (isRing ? '' : ' tiny')" :data-card="face.code" role="img" :aria-label="face.label"><b>{{ face.rank }}</b><i>{{ corner(face) }}</i></span></div>
        <template v-if="!scene.bar || isRing"><span class="chip" v-for="fact in scene.facts">{{ fact }}</span></template>
        <div class="mp-burst" v-if="burst" role="img" :aria-label="burst">{{ burst }}</div>
      </div>
    </div>
    <div class="mp-mine" :class="{ turn: me.turn, boss: me.boss, out: me.out }">
      <span class="face" aria-hidden="true"><span v-if="isPlain" class="material-icons">person</span><template v-else>{{ me.sign }}</template></span>
      <span class="names"><span class="name">{{ me.name }}</span><span class="agent">{{ about(me) }}</span></span>
      <div class="last" :class="{ fly: me.last.length }" :key="me.moved">
        <span v-for="face in me.last" :class="face.classes + ' small'" :data-card="face.code" role="img" :aria-label="face.label"><b>{{ face.rank }}</b><i>{{ corner(face) }}</i><s v-if="face.stands">{{ face.stands }}</s></span>
        <span class="said" v-if="me.said">{{ me.said }}</span>
        <span class="bet" v-if="me.bet">{{ me.bet }}</span>
      </div>
    </div>
    <div class="mp-why" role="status" :class="{ wrong: scene.wrong }">{{ scene.status }}<slot name="advice"></slot></div>
    <div class="mp-moves" v-if="scene.live">
      <div class="mp-bets" v-if="scene.bets">
        <button type="button" v-for="[name, to] in scene.bets.shares" class="mp-share" :class="{ on: amount === to }"
          @click="amount = to">{{ name === 'min' ? words.least : name }}</button>
        <input type="range" :min="scene.bets.least" :max="scene.bets.most" :step="scene.bets.step" v-model.number="amount"
          :aria-label="words.raise_to">
        <button type="button" class="mp-do main" :class="{ hinted: scene.hinted === 'raise' }" @click="send('move', { move: 'raise ' + amount })">{{ words.raise_to }} {{ amount }}</button>
      </div>
      <button type="button" v-for="button in scene.buttons" class="mp-do" :class="[button.kind, { hinted: scene.hinted === button.move }]"
        :data-move="button.move" @click="send('move', { move: button.move })">{{ button.label }}</button>
      <button type="button" v-if="scene.picks && scene.mine" class="mp-do main" data-do="play" :aria-disabled="!up.length"
        @click="play">{{ words.play_cards }}</button>
      <button type="button" v-if="scene.mine && scene.helps" class="mp-do help" data-do="hint" @click="send('hint')">{{ words.hint }}</button>
      <button type="button" v-if="scene.flushes.length && scene.picks" class="mp-do soft" data-do="flush" @click="nextFlush">{{ words.flush }}</button>
      <button type="button" v-if="scene.columns && scene.picks" class="mp-do soft" data-do="sort" @click="arrange">{{ words.sort }}</button>
      <button type="button" v-if="scene.undo" class="mp-do soft" data-do="undo" @click="send('undo')">{{ words.undo }}</button>
      <slot name="moves"></slot>
    </div>
    <div class="mp-hand" :data-number="scene.number" :class="{ columns: columns.length, still: !scene.picks }" role="group" :aria-label="words.hand"
        @pointerdown="press" @pointermove="sweep" @pointerup="release" @pointercancel="release">
      <div class="line" v-for="(column, n) in rows" :key="n" :class="{ own: column.own }" :style="{ '--n': columns.length ? rows.length : column.cards.length }">
        <button type="button" v-for="card in column.cards" :key="card.id" class="mp-pick" :data-id="card.id" :tabindex="card.id === firstId ? 0 : -1"
            :class="{ up: isUp(card.id), still: !scene.picks }" :aria-pressed="isUp(card.id) ? 'true' : 'false'" :aria-label="card.label"
            @click="$event.detail === 0 && toggle(card.id)">
          <span :class="card.classes" :data-card="card.code"><b>{{ card.rank }}</b><i>{{ corner(card) }}</i><u>{{ card.sign || (card.classes.includes('joker') ? '' : card.rank) }}</u></span>
        </button>
      </div>
    </div>
    <div class="mp-sheet" v-if="scene.sheet" role="dialog" :aria-label="scene.sheet.title" :class="scene.sheet.mood">
      <h2>{{ scene.sheet.title }}</h2>
      <p class="won" v-if="scene.sheet.note">{{ scene.sheet.note }}</p>
      <dl class="details"><template v-for="[what, much] in scene.sheet.details"><dt>{{ what }}</dt><dd>{{ much }}</dd></template></dl>
      <dl class="points"><template v-for="[who, won] in scene.sheet.seats"><dt>{{ who }}</dt><dd>{{ won }}</dd></template></dl>
      <slot name="sheet"></slot>
    </div>
  </section>`,
  computed: {
    words() { return this.scene.words || {}; },
    me() { return this.scene.seats[this.scene.seats.length - 1]; },
    others() { return this.scene.seats.slice(0, -1); },
    isRing() { return this.scene.game === "holdem"; },
    isPlain() { return this.me.name.toUpperCase().startsWith(this.me.sign); },
    cards() {
      const seen = {};
      return this.scene.hand.map((face) => {
        seen[face.code] = (seen[face.code] || 0) + 1;
        return { ...face, id: face.code + "#" + seen[face.code] };
      });
    },
    firstId() { return this.cards.length ? this.cards[0].id : ""; },
    columns() {
      if (!this.scene.columns) return [];
      const own = this.groups.map((ids) => ({ own: true, cards: this.cards.filter((card) => ids.includes(card.id)) }));
      const taken = new Set(this.groups.flat());
      const ranks = new Map();
      for (const card of this.cards) {
        if (taken.has(card.id)) continue;
        const name = card.classes.includes("wild") ? "wild" : card.rank;
        ranks.set(name, [...(ranks.get(name) || []), card]);
      }
      return [...own, ...[...ranks.values()].map((cards) => ({ own: false, cards }))].filter((c) => c.cards.length);
    },
    rows() { return this.columns.length ? this.columns : [{ own: false, cards: this.cards }]; },
  },
  watch: {
    scene(now, before) {
      this.isWaiting = false;
      const ids = new Set(this.cards.map((card) => card.id));
      if (now.deal !== before.deal) { this.up = []; this.groups = []; this.flush = -1; if (now.sound) sounds.deal(); }
      this.up = this.up.filter((id) => ids.has(id));
      if (now.raised && (!before.raised || now.raised.number !== before.raised.number)) this.raise(now.raised.cards);
      if (now.cleared !== before.cleared) this.up = [];
      if (now.bets && (!before.bets || now.number !== before.number)) this.amount = now.bets.least;
      if (now.bets && now.raised && now.raised.amount && (!before.raised || now.raised.number !== before.raised.number)) this.amount = now.raised.amount;
      if (now.number > before.number && now.deal === before.deal) this.feel(now);
      if (now.sheet && !before.sheet) this.end(now);
    },
  },
  mounted() {
    this.amount = this.scene.bets ? this.scene.bets.least : 0;
    this.listener = (event) => this.key(event);
    document.addEventListener("keydown", this.listener);
  },
  unmounted() { document.removeEventListener("keydown", this.listener); },
  methods: {
    send(what, more = {}) { this.isWaiting = true; this.$emit("act", { do: what, ...more }); },
    about(seat) { return [seat.player, seat.note].filter(Boolean).join(" · "); },
    corner(face) { return face.classes.includes("joker") ? "王" : face.sign; },
    ring(seat) {
      if (!this.isRing) return {};
      const share = this.others.length > 1 ? (Number(seat.place) - 1) / (this.others.length - 1) : 0.5;
      const turn = Math.PI * (1.12 - 1.24 * share);
      return { "--x": Math.cos(turn).toFixed(3), "--y": (-Math.sin(turn)).toFixed(3) };
    },
    isUp(id) { return this.drag ? this.drag.now.includes(id) : this.up.includes(id); },
    toggle(id) {
      if (!this.scene.picks) return;
      this.up = this.up.includes(id) ? this.up.filter((other) => other !== id) : [...this.up, id];
    },
    raise(codes) {
      const left = [...codes];
      this.up = this.cards.filter((card) => { const at = left.indexOf(card.code); if (at >= 0) left.splice(at, 1); return at >= 0; }).map((card) => card.id);
    },
    play() {
      const chosen = this.cards.filter((card) => this.up.includes(card.id)).map((card) => card.code);
      this.send("play", { cards: chosen });
    },
    nextFlush() {
      this.flush = (this.flush + 1) % this.scene.flushes.length;
      this.raise(this.scene.flushes[this.flush]);
    },
    arrange() {
      if (this.up.length) { this.groups = [...this.groups.map((ids) => ids.filter((id) => !this.up.includes(id))).filter((ids) => ids.length), [...this.up]]; this.up = []; }
      else this.groups = [];
    },
    under(event) {
      const touched = document.elementFromPoint(event.clientX, event.clientY);
      const card = touched && touched.closest(".mp-pick");
      return card && this.$el.contains(card) ? card.dataset.id : null;
    },
    press(event) {
      if (!this.scene.picks || event.button > 0) return;
      const id = this.under(event);
      if (!id) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      this.drag = { from: id, raises: !this.up.includes(id), now: [...this.up] };
      this.reach(id);
    },
    sweep(event) { if (this.drag) { const id = this.under(event); if (id) this.reach(id); } },
    reach(id) {
      const order = this.rows.flatMap((row) => row.cards.map((card) => card.id));
      const [first, last] = [order.indexOf(this.drag.from), order.indexOf(id)].sort((a, b) => a - b);
      const swept = order.slice(first, last + 1);
      this.drag.now = this.drag.raises ? [...new Set([...this.up, ...swept])] : this.up.filter((other) => !swept.includes(other));
    },
    release() {
      if (!this.drag) return;
      this.up = this.drag.now;
      this.drag = null;
      if (this.scene.sound) sounds.pick();
    },
    feel(now) {
      if (now.sound) (now.burst ? sounds.bomb : sounds.play)();
      if (!now.burst) return;
      this.burst = now.burst;
      setTimeout(() => { this.burst = ""; }, LONGEST_BURST);
    },
    end(now) {
      if (now.sound) (now.sheet.mood === "won" ? sounds.won : sounds.lost)();
      this.$nextTick(() => this.$el.querySelector(".mp-sheet button")?.focus());
    },
    key(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const at = document.activeElement;
      const isText = at && (at.tagName === "TEXTAREA" || at.isContentEditable || (at.tagName === "INPUT" && at.type !== "range"));
      if (isText || document.querySelector(".q-dialog, .q-menu") || at?.getAttribute?.("role") === "slider") return;
      const card = at && at.closest(".mp-pick");
      if (this.act(event.key, card, at)) event.preventDefault();
    },
    act(key, card, at) {
      const scene = this.scene;
      if (scene.keys && scene.keys.includes(key)) { this.$emit("act", { do: "key", key }); return true; }
      if (!scene.live) return false;
      if (key === "Enter") {
        if (at && at.tagName === "BUTTON" && !card) return false;
        if (scene.picks && scene.mine) this.play();
        return true;
      }
      if (key === "Escape") { this.up = []; this.$emit("act", { do: "clear" }); return true; }
      if (card && (key === "ArrowLeft" || key === "ArrowRight")) { this.step(card, key === "ArrowLeft" ? -1 : 1); return true; }
      const small = key.toLowerCase();
      const move = (scene.hotkeys || {})[small];
      if (move) { this.send("move", { move }); return true; }
      if (small === "h" && scene.mine && scene.helps) { this.send("hint"); return true; }
      if (small === "u" && scene.undo) { this.send("undo"); return true; }
      if (small === "n" && scene.over) { this.send("next"); return true; }
      if (small === "r" && scene.bets) { this.send("move", { move: "raise " + this.amount }); return true; }
      return scene.picks && key.length === 1 && this.pickRank(RANK_KEYS[key.toUpperCase()] || key.toUpperCase());
    },
    step(card, by) {
      const all = [...this.$el.querySelectorAll(".mp-pick")];
      all[(all.indexOf(card) + by + all.length) % all.length].focus();
    },
    pickRank(rank) {
      const ofRank = this.cards.filter((card) => card.rank === rank).map((card) => card.id);
      const left = ofRank.filter((id) => !this.up.includes(id));
      if (ofRank.length) this.up = left.length ? [...this.up, left[0]] : this.up.filter((id) => !ofRank.includes(id));
      return ofRank.length > 0;
    },
  },
};
