import { expect, test } from 'vitest';
import { decidableRules } from '../../abr/decidableRules.testing.ts';
import { pick } from '../../shared/registry.ts';
import type { Content } from '../content.ts';
import { envivio } from '../envivio.ts';
import { replay } from '../replay/replay.ts';
import { playerModelWith } from './playerModel.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

/** Rates that rise, fall and fail for 8 s. */
const trace = {
  name: 'all sorts',
  endMs: Float64Array.of(10_000, 40_000, 48_000, 80_000, 120_000),
  rateKbps: Float64Array.of(2500, 600, 0, 1100, 9000),
  rttMs: Float64Array.of(40, 90, 90, 60, 30),
  startMs: 0,
};

const audio = {
  ladder: [64, 128].map((bitrateKbps) => ({ bitrateKbps, width: null, height: null })),
  segmentMs: 3000,
  segments: 64,
  sizesBytes: [24_000, 48_000].map((sizeBytes) => Array.from({ length: 64 }, () => sizeBytes)),
  initBytes: [700, 700],
};
const content: Content = {
  ...envivio,
  video: { ...envivio.video, initBytes: [800, 800, 800, 900, 900, 900] },
  audio,
};

const scenes: [what: string, settings: Partial<PlayerModelSettings>][] = [
  ['audio over one connection, a large buffer', { bufferTargetMs: 64_000, bufferTargetAtTopMs: 64_000 }],
  ['h1 with two connections', { protocol: 'h1', connections: 2, cacheInitSegments: false }],
  [
    'a viewer who seeks',
    { seeks: [60_000, 61_000, 110_000].map((atMs, n) => ({ atMs, toMs: [120_000, 20_000, 22_000][n]! })) },
  ],
  ['live, 12 s behind the edge', { live: { delayMs: 12_000 }, protocol: 'h3', earlyData: true }],
];
const rules = decidableRules;

test.each(scenes.flatMap(([what, settings]) => rules.map(({ id }) => ({ what, id, settings }))))(
  '$what: a replay through $id decides the same',
  ({ id, settings }) => {
    const rule = pick(decidableRules, id);
    const model = playerModelWith(settings);
    const { log, outcome } = model.record({ trace, content, rule, seed: 3 });
    expect(model.simulate({ trace, content, rule, seed: 3 })).toEqual(outcome);
    const { decisions, identical, derived, faults } = replay(log, rule);
    expect(decisions.length).toBeGreaterThan(90);
    expect([identical, derived, faults]).toEqual([decisions.length, 0, []]);
  },
);
