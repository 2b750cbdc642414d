// Short sounds, made on the spot: no files to load. They are asked for only where the person has switched them on.
let context = null;

function tone(pitch, seconds, shape = "triangle", loud = 0.12, later = 0, to = pitch) {
  context = context || new AudioContext();
  const start = context.currentTime + later;
  const wave = context.createOscillator();
  const level = context.createGain();
  wave.type = shape;
  wave.frequency.setValueAtTime(pitch, start);
  wave.frequency.exponentialRampToValueAtTime(Math.max(20, to), start + seconds);
  level.gain.setValueAtTime(loud, start);
  level.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  wave.connect(level).connect(context.destination);
  wave.start(start);
  wave.stop(start + seconds);
}

export const sounds = {
  pick() { tone(900, 0.04, "square", 0.03); },
  play() { tone(320, 0.09, "triangle", 0.14, 0, 180); },
  deal() { for (let n = 0; n < 6; n++) tone(500 + 40 * n, 0.05, "triangle", 0.06, 0.06 * n); },
  bomb() { tone(160, 0.5, "sawtooth", 0.2, 0, 30); tone(90, 0.7, "square", 0.12, 0.05, 25); },
  won() { [523, 659, 784, 1047].forEach((pitch, n) => tone(pitch, 0.22, "triangle", 0.14, 0.13 * n)); },
  lost() { [392, 330, 262].forEach((pitch, n) => tone(pitch, 0.28, "triangle", 0.1, 0.18 * n)); },
};
