/**
 * The demo stream: the eight rungs of the 2020 letter (ladder in kbit/s by height), 4 s segments, two audio levels.
 * Really encoded, so that the eye sees the quality change.
 */
export interface RungRecipe {
  readonly width: number;
  readonly height: number;
  readonly bitrateKbps: number;
}

export interface StreamRecipe {
  readonly rungs: readonly RungRecipe[];
  readonly audioKbps: readonly number[];
  readonly durationS: number;
  readonly segmentS: number;
  readonly framesPerSecond: number;
}

const rung = (height: number, bitrateKbps: number): RungRecipe => ({
  // 16:9 with even sides, as 4:2:0 needs.
  width: Math.round((height * 16) / 9 / 2) * 2,
  height,
  bitrateKbps,
});

export const demoRecipe: StreamRecipe = {
  rungs: [
    rung(180, 200),
    rung(180, 400),
    rung(270, 600),
    rung(360, 800),
    rung(360, 1000),
    rung(432, 1500),
    rung(576, 2500),
    rung(720, 4000),
  ],
  audioKbps: [64, 128],
  durationS: 72,
  segmentS: 4,
  framesPerSecond: 24,
};

/** For tests: small, cheap, and long enough that a live edge can move through it. */
export const testRecipe: StreamRecipe = {
  rungs: [rung(180, 150), rung(180, 300), rung(180, 600)],
  audioKbps: [64],
  durationS: 120,
  segmentS: 2,
  framesPerSecond: 24,
};
