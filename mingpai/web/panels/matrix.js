// The 13 x 13 starting hands of hold'em to choose from. One cell takes the focus; arrows move it, Space and Enter toggle.
const WIDTH = 13;

export default {
  props: { cells: Array, label: String },
  emits: ["toggle"],
  data() {
    return { at: 0 };
  },
  template: `
  <table class="mp-heat square" role="grid" aria-multiselectable="true" :aria-label="label" @keydown="key">
    <tbody><tr v-for="(row, y) in rows" role="row">
      <td v-for="(cell, x) in row" ref="cells" role="gridcell" class="cell click" :style="cell.style" :data-hand="cell.name"
        :tabindex="at === y * width + x ? 0 : -1" :aria-selected="cell.chosen ? 'true' : 'false'" :aria-label="cell.words"
        @focus="at = y * width + x" @click="$emit('toggle', cell.name)">{{ cell.name }}</td>
    </tr></tbody>
  </table>`,
  computed: {
    width() { return WIDTH; },
    rows() {
      return Array.from({ length: this.cells.length / WIDTH }, (_, y) => this.cells.slice(y * WIDTH, (y + 1) * WIDTH));
    },
  },
  methods: {
    key(event) {
      if (event.altKey || event.metaKey) return;
      if (event.key === " " || event.key === "Enter") {
        if (!event.repeat) this.$emit("toggle", this.cells[this.at].name);
      } else {
        const to = this.next(event.key, event.ctrlKey);
        if (to === null) return;
        this.$refs.cells[to].focus();
      }
      event.preventDefault();
      event.stopPropagation();
    },
    next(key, far) {
      const y = Math.floor(this.at / WIDTH), x = this.at % WIDTH, last = WIDTH - 1;
      switch (key) {
        case "ArrowLeft": return y * WIDTH + Math.max(0, x - 1);
        case "ArrowRight": return y * WIDTH + Math.min(last, x + 1);
        case "ArrowUp": return Math.max(0, y - 1) * WIDTH + x;
        case "ArrowDown": return Math.min(last, y + 1) * WIDTH + x;
        case "Home": return far ? 0 : y * WIDTH;
        case "End": return far ? this.cells.length - 1 : y * WIDTH + last;
        default: return null;
      }
    },
  },
};
