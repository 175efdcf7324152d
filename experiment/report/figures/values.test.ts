import { describe, expect, test } from 'vitest';
import { exampleSource } from './exampleSource.testing.ts';
import { boxOf, thinned, distributionOf } from './values.ts';
import { differenceCell } from './heatMap.ts';
import { facetsOf } from './facets.ts';
import { meanBytes } from './bytesOverTime.ts';
import { networkRate, rateBins } from './qoeAgainstRate.ts';
import { networkRtts } from './reductions.ts';
import { pooledRequests } from './latencies.ts';
import { slug } from './figure.ts';
import { formatValue, valueAxis } from './svg/valueAxis.ts';

describe('a box', () => {
  test('has quartiles between values, whiskers within 1.5 box lengths, and the rest as outliers', () =>
    // Quartiles at places 2, 4 and 6 of 0 … 8: 3, 5, 7; so reach −3 … 13.
    expect(boxOf([5, 1, 2, 3, 4, 6, 7, 8, 30])).toEqual({
      count: 9,
      quartiles: [3, 5, 7],
      whiskers: [1, 8],
      outliers: [30],
    }));
  test('of four values interpolates', () =>
    // Places 0.75, 1.5 and 2.25 of 0 … 3.
    expect(boxOf([10, 20, 30, 40])?.quartiles).toEqual([17.5, 25, 32.5]));
  test('has whiskers no shorter than itself', () =>
    // The third quartile of 0, 0, 0, 100 is 25, the greatest value within reach 0.
    expect(boxOf([0, 0, 0, 100])).toMatchObject({
      quartiles: [0, 0, 25],
      whiskers: [0, 25],
      outliers: [100],
    }));
  test.each([
    [[7], [7, 7, 7]],
    [
      [7, 7, 7, 7],
      [7, 7, 7],
    ],
  ])('of %j is a line', (values, quartiles) =>
    expect(boxOf(values)).toMatchObject({ quartiles, whiskers: [7, 7], outliers: [] }),
  );
  test('of nothing is none', () => expect(boxOf([])).toBeNull());
});

describe('a distribution', () => {
  test('steps once for equal values', () =>
    expect(distributionOf([3, 1, 3, 2])).toEqual([
      { value: 1, share: 0.25 },
      { value: 2, share: 0.5 },
      { value: 3, share: 1 },
    ]));
  test('of many keeps some steps, each exact, with the first and the last', () => {
    const points = distributionOf(Array.from({ length: 5000 }, (_, index) => index));
    expect(points).toHaveLength(120);
    expect(points[0]).toEqual({ value: 0, share: 1 / 5000 });
    expect(points.at(-1)).toEqual({ value: 4999, share: 1 });
    for (const { value, share } of points) expect(share).toBeCloseTo((value + 1) / 5000, 12);
  });
  test('of many equal values counts all of them', () =>
    expect(distributionOf([...new Array<number>(900).fill(0), ...new Array<number>(100).fill(1)])).toEqual([
      { value: 0, share: 0.9 },
      { value: 1, share: 1 },
    ]));
  test('of one value, and of none', () => {
    expect(distributionOf([4])).toEqual([{ value: 4, share: 1 }]);
    expect(distributionOf([])).toEqual([]);
  });
});

describe('bytes over time', () => {
  const windows = (...mb: readonly (readonly [h2: number, h3: number])[]) =>
    mb.map(([h2, h3], index) => ({
      fromMs: 500 + index * 30_000,
      toMs: 500 + (index + 1) * 30_000,
      bytes: { h1: 0, h2, unknown: 0, h3 },
    }));
  test('are means over the sessions that have the window, from play on', () =>
    expect(meanBytes([windows([4, 0], [2, 2]), windows([0, 2], [0, 4])])).toEqual([
      { fromMs: 0, toMs: 30_000, sessions: 2, bytes: { h1: 0, h2: 2, unknown: 0, h3: 1 } },
      { fromMs: 30_000, toMs: 60_000, sessions: 2, bytes: { h1: 0, h2: 1, unknown: 0, h3: 3 } },
    ]));
  test('end where fewer than half of the sessions go on', () => {
    const short = windows([1, 0]);
    expect(meanBytes([short, short, windows([1, 0], [9, 0])])).toHaveLength(1);
    expect(meanBytes([short, windows([1, 0], [9, 0])])[1]).toMatchObject({ sessions: 1, bytes: { h2: 9 } });
  });
  test('of many windows are means of several', () =>
    expect(meanBytes([windows([1, 0], [3, 0], [5, 0])], 2)).toMatchObject([
      { fromMs: 0, toMs: 60_000, bytes: { h2: 2 } },
      { fromMs: 60_000, toMs: 90_000, bytes: { h2: 5 } },
    ]));
  test('of no sessions, and of sessions without a window, are none', () => {
    expect(meanBytes([])).toEqual([]);
    expect(meanBytes([[], []])).toEqual([]);
  });
});

test('requests are pooled by how many their values stand for', () => {
  expect(
    pooledRequests([
      { values: [1, 2], requests: 2 },
      { values: [5, 6], requests: 6 },
    ]),
  ).toEqual([1, 2, 5, 5, 5, 6, 6, 6]);
  expect(pooledRequests([{ values: [], requests: 0 }])).toEqual([]);
});

test('networks of about the same rate share a bin, and few have one each', () => {
  const three = rateBins(
    new Map([
      ['fast', 5000],
      ['slow', 1000],
      ['also-slow', 1000],
    ]),
  );
  expect(three.map(({ rateKbps }) => rateKbps)).toEqual([1000, 5000]);
  expect(['slow', 'also-slow', 'fast', null].map((network) => three[0]!.has({ network }))).toEqual([
    true,
    true,
    false,
    false,
  ]);
  const many = rateBins(
    new Map(Array.from({ length: 20 }, (_, index) => [`n${index}`, 100 * index] as const)),
  );
  expect(many).toHaveLength(9);
  for (let index = 0; index < 20; index += 1)
    expect(many.filter(({ has }) => has({ network: `n${index}` }))).toHaveLength(1);
});

test('a network’s rate is its mean over time, its round-trip time the least', () => {
  const step = { upKbps: null, lossDown: 0, lossUp: 0 };
  const steps = [
    { ...step, durationMs: 1000, downKbps: 4000, rttMs: 80 },
    { ...step, durationMs: 3000, downKbps: 800, rttMs: 20 },
  ];
  const profile = {
    id: 'n',
    label: 'n',
    paper: '',
    repeat: true,
    queue: { kind: 'droptail', packets: 9 },
  } as const;
  expect(networkRate({ name: 'n', profile: { ...profile, steps } })).toBe(1600);
  expect(
    networkRate({ name: 'n', profile: { ...profile, steps: [{ ...steps[0]!, downKbps: null }] } }),
  ).toBeNull();
  expect(networkRtts({ networks: [{ name: 'n', profile: { ...profile, steps } }] }).get('n')).toBe(20);
});

describe('differences on a network', () => {
  const { sessions } = exampleSource(
    { profiles: ['a-1000', 'b-2000'], repeats: 3 },
    ({ transport, link, design }) => ({
      values: {
        kbps:
          link?.network === 'b-2000' || design.repeat === 2
            ? null
            : transport === 'h2'
              ? 100 + design.repeat
              : 110,
      },
    }),
  );
  const arms = ['h3-only', 'h2'].map((arm) => sessions.filter(({ transport }) => transport === arm));
  const cell = (network: string) => differenceCell([arms[0]!, arms[1]!], { network, metricId: 'kbps' });
  test('are of its pairs only, also in percent of the second arm', () =>
    // Pairs 110 − 100 and 110 − 101; the third has no values.
    expect(cell('a-1000')).toEqual({ pairs: 2, difference: 9.5, percent: (100 * 19) / 201 }));
  test('are none where no pair is known', () => expect(cell('b-2000')).toBeNull());
});

describe('facets', () => {
  const design = { rules: ['throughput', 'bola'], transports: ['h2', 'h3-only'] } as const;
  const shape = (changes: Parameters<typeof exampleSource>[0]) =>
    facetsOf(
      exampleSource({ ...design, rules: [...design.rules], transports: [...design.transports], ...changes }),
    ).map(({ name, arms }) => [name, ...arms.map((arm) => arm.name)]);
  test('put transports side by side under each rule', () =>
    expect(shape({})).toEqual([
      ['throughput', 'h2', 'h3-only'],
      ['bola', 'h2', 'h3-only'],
    ]));
  test('put rules side by side over each transport', () =>
    expect(shape({ compare: 'rules' })).toEqual([
      ['h2', 'throughput', 'bola'],
      ['h3-only', 'throughput', 'bola'],
    ]));
  test('leave out arms without sessions, and facets without arms', () => {
    const source = exampleSource({ rules: ['throughput', 'bola'] }, ({ rule, transport }) =>
      rule === 'bola' || transport === 'h2' ? null : {},
    );
    expect(facetsOf(source).map(({ name, arms }) => [name, arms.length])).toEqual([['throughput', 1]]);
  });
});

test('thinned keeps the ends and the number', () => {
  expect(thinned([1, 2, 3, 4, 5], 3)).toEqual([1, 3, 5]);
  expect(thinned([1, 2], 3)).toEqual([1, 2]);
});

test('slugs are kebab-case', () => expect(slug('heat-map', 'A b/C', '')).toBe('heat-map-a-b-c'));

test('a value beside an axis has the digits that distinguish it from its neighbours, and zero has none', () => {
  const axis = valueAxis({ min: 0, max: 0.004, unit: '%' });
  expect([0, 0.0012].map((value) => formatValue(value, axis))).toEqual(['0', '0.00120']);
});
