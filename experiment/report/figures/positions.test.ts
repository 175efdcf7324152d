import { describe, expect, test } from 'vitest';
import type { ReportSource } from '../reportSource.ts';
import { boxPlots } from './boxPlots.ts';
import { bytesOverTime } from './bytesOverTime.ts';
import { correlations } from './correlations.ts';
import { distributions, tcpShares } from './distributions.ts';
import { exampleSource } from './exampleSource.testing.ts';
import type { FigureMaker, ReportFigure } from './figure.ts';
import { heatMap } from './heatMap.ts';
import { latencies } from './latencies.ts';
import { pairedDifferences } from './pairedDifferences.ts';
import { pathwaysOverTime } from './pathwaysOverTime.ts';
import { qoeAgainstRate } from './qoeAgainstRate.ts';
import { racingScatter } from './racingScatter.ts';
import { reductions } from './reductions.ts';

/** Pictures are 360 px wide; every position below is worked out from that by hand. */
const figure = (maker: FigureMaker, source: ReportSource, id?: string): ReportFigure => {
  const drawn = maker.draw(source);
  const all = drawn === null ? [] : 'svg' in drawn ? [drawn] : drawn;
  return all.find((each) => id === undefined || each.id === id)!;
};
/** The attributes of the elements with a class, as numbers where they are. */
const classed = (svg: string, name: string): Record<string, string>[] =>
  [...svg.matchAll(new RegExp(`<[a-z]+ [^>]*class="${name}"[^>]*>`, 'g'))].map(([tag]) =>
    Object.fromEntries([...tag.matchAll(/([a-z-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!])),
  );
const window = (index: number, changes: object) => ({
  fromMs: index * 30_000,
  toMs: (index + 1) * 30_000,
  tcpShare: null,
  bitrateKbps: null,
  qualityDropS: 0,
  stallS: 0,
  bytes: { h1: 0, h2: 0, unknown: 0, h3: 0 },
  ...changes,
});

test('a distribution steps at its values', () => {
  const source = exampleSource({ transports: ['h2'], repeats: 4 }, ({ design }) => ({
    values: { 'mean-bitrate': 1000 * (design.repeat + 1) },
  }));
  const { svg, rows } = figure(distributions, source, 'cdf-mean-bitrate');
  expect(rows).toEqual([
    ['h2', 1000, 0.25],
    ['h2', 2000, 0.5],
    ['h2', 3000, 0.75],
    ['h2', 4000, 1],
  ]);
  // The axis is 0 to 4 Mbit/s from 28.7 (space for "100") to 352 px: 80.825 px each; 132 px of height from 45 on.
  expect(svg).toContain('M28.7 177H109.5V144H190.4V111H271.2V78H352V45H352');
  // The median of 1, 2, 3, 4 is 2.5, at half the height.
  expect(classed(svg, 'median')[0]!['d']).toMatch(/^M230\.8 111/);
});

test('TCP shares are those of racing sessions, by network', () => {
  const source = exampleSource(
    { transports: ['h2', 'h3-racing'], profiles: ['slow-500', 'fast-9000'], repeats: 2 },
    ({ transport, link, design }) => ({
      values: {
        'tcp-share': transport === 'h2' ? 100 : link!.network === 'fast-9000' ? 0 : 40 + 20 * design.repeat,
      },
    }),
  );
  const { rows } = figure(tcpShares, source, 'cdf-tcp-share-by-network');
  expect(rows).toEqual([
    ['slow-500', 40, 0.5],
    ['slow-500', 60, 1],
    ['fast-9000', 0, 1],
  ]);
  expect(tcpShares.draw(exampleSource({ transports: ['h2'] }))).toBeNull();
});

test('a box stands between its quartiles', () => {
  const source = exampleSource({ transports: ['h2'], repeats: 5 }, ({ design }) => ({
    values: { 'mean-bitrate': [0, 1000, 2000, 3000, 10_000][design.repeat]! },
  }));
  const { svg, rows } = figure(boxPlots, source, 'boxes-mean-bitrate');
  expect(rows).toEqual([['throughput', 'h2', 5, 0, 1000, 2000, 3000, 3000]]);
  // "h2" takes 15 px and 8 px of gap; so 0 to 10 Mbit/s go from 23 to 352 px: 32.9 px each.
  expect(classed(svg, 'box')[0]).toMatchObject({ x: '55.9', width: '65.8' });
  expect(classed(svg, 'median')[0]!['d']).toMatch(/^M88\.8 /);
  expect(classed(svg, 'whiskers')[0]!['d']).toMatch(/^M23 \S+H55\.9M121\.7 \S+H121\.7/);
  // Beyond 3 + 1.5 × 2 Mbit/s: a ring round 10, 2 px to either side.
  expect(classed(svg, 'outliers')[0]!['d']).toMatch(/^M350 /);
});

test('latencies pool what sessions keep, on a logarithmic axis', () => {
  const source = exampleSource({ transports: ['h3-only'] }, () => ({
    latencyMs: { video: [10, 100, 1000], audio: [] },
    requests: { video: 3, audio: 0 },
  }));
  const { svg, rows } = figure(latencies, source);
  expect(rows).toEqual([['video', 'h3-only', 3, 10, 55, 100, 550, 1000]]);
  // 10 to 1000 ms from 54.6 (46.6 px of "h3-only") to 352 px: the median in the middle.
  expect(classed(svg, 'median')[0]!['d']).toMatch(/^M203\.3 /);
});

test('a pathway is low while it is the one of the MPD; UDP was limited before the session began', () => {
  const step = { probe: null, isRescue: false, because: 'Why.' };
  const source = exampleSource({ transports: ['h2'], repeats: 2 }, ({ design }) => ({
    lengthMs: 43_000,
    steering: {
      main: 'main',
      steps: [
        { ...step, atMs: 0, pathway: 'main' },
        { ...step, atMs: 5000, pathway: 'main', probe: 'tcp' },
        { ...step, atMs: 10_000, pathway: 'tcp', isRescue: true },
        { ...step, atMs: 30_000, pathway: 'main' },
      ].slice(0, design.repeat === 0 ? 4 : 1),
      limits: [
        { fromMs: -4000, untilMs: 20_000 },
        { fromMs: 40_000, untilMs: null },
      ],
    },
  }));
  const { svg, rows, sessions } = figure(pathwaysOverTime, source);
  // 43 s from 8 to 352 px are 8 px each; the line lies 38 px below the row's edge on main, and 24 px on another.
  expect(classed(svg, 'pathway').map(({ d }) => d)).toEqual(['M8 38H88V24H248V38H352']);
  expect(classed(svg, 'limit')).toMatchObject([
    { x: '8', width: '160' },
    { x: '328', width: '24' },
  ]);
  expect(classed(svg, 'probes')[0]!['d']).toMatch(/^M48 24m/);
  expect(classed(svg, 'rescues')[0]!['d']).toMatch(/^M88 24m/);
  expect(sessions).toHaveLength(1);
  expect(rows.map((row) => row.slice(2, 6))).toEqual([
    [0, 'main', null, 'no'],
    [5, 'main', 'tcp', 'no'],
    [10, 'tcp', null, 'yes'],
    [30, 'main', null, 'no'],
  ]);
  expect(pathwaysOverTime.applies?.(exampleSource())).toBe(false);
});

test('racing windows stand at their drop and stall, by class', () => {
  const source = exampleSource({ transports: ['h3-racing', 'h2'] }, ({ transport }) => ({
    windows: [
      window(0, { tcpShare: 0.29, qualityDropS: 10, stallS: 0 }),
      window(1, { tcpShare: 0.3, qualityDropS: 20, stallS: 5 }),
      window(2, { tcpShare: transport === 'h2' ? 1 : 0.6, qualityDropS: 0, stallS: 10 }),
      window(3, { tcpShare: null, qualityDropS: 50, stallS: 30 }),
    ],
  }));
  const { svg, rows, sessions, caption } = figure(racingScatter, source);
  expect(rows.map((row) => row.slice(0, 4))).toEqual([
    ['low', 0.29, 10, 0],
    ['medium', 0.3, 20, 5],
    ['high', 0.6, 0, 10],
  ]);
  expect(sessions).toHaveLength(1);
  expect(caption).toContain('0 of 3 windows have neither');
  // B from 0 to 20 between 21.8 (space for "10") and 352 px; S from 0 to 10 over 190 px above 275 (three keys).
  expect(classed(svg, 'low')[0]!['d']).toMatch(/^M186\.9 275m/);
  expect(classed(svg, 'medium')[0]!['d']).toMatch(/^M352 180m/);
  expect(classed(svg, 'high')[0]!['d']).toMatch(/^M21\.8 85m/);
});

test('bytes stand on each other', () => {
  const source = exampleSource({ transports: ['h3-racing'], repeats: 2 }, ({ design }) => ({
    windows: [
      window(0, { bytes: { h1: 0, h2: design.repeat === 0 ? 2e6 : 0, unknown: 0, h3: 1e6 } }),
      window(1, { bytes: { h1: 0, h2: 0, unknown: 0, h3: 4e6 } }),
    ],
  }));
  const { svg, rows } = figure(bytesOverTime, source);
  expect(rows).toEqual([
    [0, 30, 0, 1e6, 0, 1e6, 2],
    [30, 60, 0, 0, 0, 4e6, 2],
  ]);
  // A minute from 14.9 (space for "4") to 314 px; 0 to 4 MB over 120 px above 167: 30 px each.
  expect(classed(svg, 'band h2')[0]!['d']).toBe('M14.9 167V137H164.5V167H314V167H164.5V167H14.9Z');
  expect(classed(svg, 'band h3')[0]!['d']).toBe('M14.9 137V107H164.5V47H314V167H164.5V137H14.9Z');
});

test('QoE stands over the rate of the network', () => {
  const source = exampleSource(
    { transports: ['h2'], profiles: ['a-1000', 'b-3000'], repeats: 3 },
    ({ link, design }) => ({
      values: { 'qoe-linear': (link?.network === 'a-1000' ? 0 : 2) + design.repeat },
    }),
  );
  const { svg, rows } = figure(qoeAgainstRate, source);
  expect(rows).toEqual([
    ['h2', 1000, 3, 0.5, 1, 1.5],
    ['h2', 3000, 3, 2.5, 3, 3.5],
  ]);
  // 0 to 3 Mbit/s from 14.9 (space for "4") to 348 px; QoE 0 to 4 over 150 px above 197.
  expect(classed(svg, 'median')[0]!['d']).toMatch(/^M125\.9 159\.5m/);
  expect(classed(svg, 'quartiles')[0]!['d']).toBe('M125.9 178.3V140.8M348 103.3V65.8');
});

test('QoE against rate needs two rates', () =>
  expect(
    qoeAgainstRate.draw(exampleSource({ profiles: ['a-1000'] }, () => ({ values: { 'qoe-linear': 1 } }))),
  ).toBeNull());

describe('the heat map', () => {
  const source = exampleSource(
    { rules: ['throughput', 'bola'], profiles: ['a-1000', 'b-2000'] },
    ({ rule, transport, link }) => ({
      values: {
        'mean-bitrate':
          transport === 'h2' ? 1000 : rule === 'bola' ? 1100 : link?.network === 'a-1000' ? 950 : 1000,
      },
    }),
  );
  const { svg, rows } = figure(heatMap, source);

  test('has the difference of pairs in percent of the baseline', () =>
    expect(rows).toEqual([
      ['a-1000', 'throughput', 'h3-only', 'h2', 1, -50, -5],
      ['a-1000', 'bola', 'h3-only', 'h2', 1, 100, 10],
      ['b-2000', 'throughput', 'h3-only', 'h2', 1, 0, 0],
      ['b-2000', 'bola', 'h3-only', 'h2', 1, 100, 10],
    ]));
  test('draws 40 networks, says so, and has all in its table', () => {
    const profiles = Array.from({ length: 45 }, (_, index) => `n-${1000 + index}`);
    const many = figure(
      heatMap,
      exampleSource({ profiles }, ({ transport }) => ({
        values: { 'mean-bitrate': transport === 'h2' ? 1000 : 1100 },
      })),
    );
    expect([many.rows.length, classed(many.svg, 'cell').length]).toEqual([45, 40]);
    expect(many.caption).toContain('40 of 45 networks are drawn');
  });
  test('colours by sign and by share of the largest', () =>
    // Half of full strength is 0.5; −5 of 10 is half of that.
    expect(classed(svg, 'cell').map((cell) => [cell['fill'], cell['fill-opacity']])).toEqual([
      ['var(--stall)', '0.25'],
      ['var(--session-f)', '0.5'],
      ['var(--session-f)', '0'],
      ['var(--session-f)', '0.5'],
    ]));
  test('turns its colours round for what is better lower', () => {
    const stalls = exampleSource(
      { rules: ['throughput', 'bola'], primary: 'rebuffer-rate' },
      ({ transport }) => ({
        values: { 'rebuffer-rate': transport === 'h2' ? 1 : 2 },
      }),
    );
    expect(classed(figure(heatMap, stalls).svg, 'cell')[0]).toMatchObject({ fill: 'var(--stall)' });
  });
});

test('differences of pairs stand on one axis with their interval and the margin', () => {
  const source = exampleSource({ repeats: 12, margin: 100 }, ({ transport, design }) => ({
    values: { 'mean-bitrate': transport === 'h2' ? 2000 : 1600 + 0 * design.repeat },
  }));
  const { svg, rows } = figure(pairedDifferences, source);
  // Twelve pairs that all lose 400: the interval has no width, the exact p is 2/2¹².
  expect(rows).toEqual([
    ['h3-only', 'h2', 'throughput', 'all', 12, -400, -400, -400, 100, 0, 12, 0, 2 ** -11, 'worse'],
  ]);
  // −400 to 100 from 8 to 352 px: 0.688 px each; 0 at 283.2.
  expect(classed(svg, 'mean')[0]).toMatchObject({ cx: '8' });
  expect(classed(svg, 'margin')[0]).toMatchObject({ x: '214.4', width: '137.6' });
  expect(svg).toContain('▼ worse');
});

test('reductions are of distributions', () => {
  const source = exampleSource({ repeats: 3, control: 'h2' }, ({ transport, design }) => ({
    values: {
      'join-time':
        transport === 'h2' ? [1000, 2000, 3000][design.repeat]! : [500, 1500, 4000][design.repeat]!,
    },
  }));
  const [row] = figure(reductions, source, 'reductions-join-time').rows;
  expect(row!.slice(0, 6)).toEqual(['h3-only', 'h2', 'all', 3, 3, 0]);
  // The median: 1500 for 2000.
  expect(row![9]).toBe(25);
});

test('correlations come with what their shifts do', () => {
  const shares = Array.from({ length: 24 }, (_, index) => (index % 5 === 0 ? 0.9 : 0.1));
  const source = exampleSource({ transports: ['h3-racing'] }, () => ({
    windows: shares.map((tcpShare, index) =>
      window(index, { tcpShare, stallS: 10 * tcpShare, qualityDropS: 1 }),
    ),
  }));
  const { rows, svg } = figure(correlations, source);
  // The drop is the same in all windows, so it has no row; the stall follows the share exactly.
  expect(rows).toHaveLength(1);
  expect(rows[0]!.slice(0, 4)).toEqual(['stall S', source.sessions[0]!.id, expect.closeTo(1, 12), 0]);
  // One session at 1: the line stays at the top until the right end.
  expect(svg).toMatch(/d="M28\.7 \d+V\d+H352V\d+"/);
});
