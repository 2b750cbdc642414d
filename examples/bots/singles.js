// A bot in JavaScript, without any of our code: plays singles, lowest first. It bids nothing.
//
//   mingpai match doudizhu --a "exec:node examples/bots/singles.js" --b random --deals 20
//
// One JSON position per line comes in, one JSON object with a move goes out. docs/positions.md has the fields.
const readline = require("node:readline");

const RANKS = "3456789TJQKA2XD";
const rank = (card) => RANKS.indexOf(card);

// The move to beat: the last one that is no pass, unless both others have passed since.
function toBeat(history) {
  const lastTwo = history.slice(-2).map(([, cards]) => cards);
  return lastTwo.reverse().find((cards) => cards !== "pass") ?? null;
}

function choose(position) {
  if (position.phase === "bid") return "0";
  const cards = [...position.hand].sort((a, b) => rank(a) - rank(b));
  const beat = toBeat(position.history);
  if (beat === null) return cards[0];
  if (beat.length !== 1) return "pass";
  return cards.find((card) => rank(card) > rank(beat)) ?? "pass";
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  console.log(JSON.stringify({ move: choose(JSON.parse(line)) }));
});
