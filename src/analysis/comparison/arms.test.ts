import { describe, expect, test } from 'vitest';
import { armRows, armsOf, MIN_INTERVAL } from './arms.ts';
import type { MeasuredMetric } from './measuredMetrics.ts';
import { pairsOf } from './pairs.ts';

const header = (arm: string, pair: number, changes = {}) => ({
  id: `${arm} ${pair}`,
  design: { campaign: 'c', cell: arm, pair: `wifi/bbb/${pair}/1`, arm, order: 0, seed: 1, repeat: pair },
  ...changes,
});
/** So many pairs of these arms, the sessions of a pair one after the other. */
const campaign = (pairs: number, arms = ['bola/h2', 'bola/h3-only']) =>
  Array.from({ length: pairs }, (_, pair) => arms.map((arm) => header(arm, pair))).flat();

describe('arms', () => {
  test('have the part of their names that differs', () =>
    expect(armsOf(campaign(3))).toEqual([
      { name: 'h2', places: [0, 2, 4] },
      { name: 'h3-only', places: [1, 3, 5] },
    ]));
  test('of names with unequal parts have all of them', () =>
    expect(armsOf(campaign(3, ['bola/h2', 'bola/h2/A/A'])).map(({ name }) => name)).toEqual([
      'bola/h2',
      'bola/h2/A/A',
    ]));
  test('have no pairs that were played again under a variant', () => {
    const again = campaign(3).map((each) => ({
      ...each,
      id: `${each.id} again`,
      design: { ...each.design, pair: each.design.pair.replace('wifi', 'wifi+rtt') },
    }));
    const arms = armsOf([...campaign(3), ...again]);
    expect(arms.map(({ name }) => name)).toEqual(['h2', 'h3-only', 'h2+rtt', 'h3-only+rtt']);
    expect(arms[0]!.places).toEqual([0, 2, 4]);
  });
  test('count a session once that was opened twice', () => {
    const headers = campaign(3);
    expect(armsOf([headers[0]!, ...headers])[0]!.places).toEqual([0, 3, 5]);
  });
  test.each([
    ['no session', []],
    ['two sessions of each arm', campaign(2)],
    ['one arm', campaign(9, ['bola/h2'])],
    ['a session of no campaign', [...campaign(3), header('bola/h2', 9, { design: null })]],
    ['two campaigns', [...campaign(3), header('bola/h2', 9, { design: { campaign: 'd', arm: 'bola/h2' } })]],
  ])('are none with %s', (_, headers) => expect(armsOf(headers as ReturnType<typeof campaign>)).toEqual([]));
});

describe('key figures by arm', () => {
  const metric = (value: number | null, changes: Partial<MeasuredMetric> = {}): MeasuredMetric => ({
    ...{ id: 'stalls', label: 'Stalls', meaning: '', unit: 's', better: 'lower', decimals: 1 },
    ...{ isHeadline: true, lowerBound: false, value, why: value === null ? 'No source.' : null },
    ...changes,
  });
  /** Values of both arms in each pair. */
  const cells = (pairs: readonly (readonly [number | null, number | null])[], reference = 0) => {
    const headers = campaign(pairs.length);
    const values = pairs.flat();
    const [row] = armRows(
      values.map((value) => [metric(value)]),
      { arms: armsOf(headers).map(({ places }) => places), pairs: pairsOf(headers, reference), reference },
    );
    return row!.cells;
  };
  test('medians of the arms, and the median of the differences, which is another number', () =>
    expect(
      cells([
        [1, 2],
        [10, 20],
        [30, 24],
      ]),
    ).toEqual([
      { median: 10, interval: null, pairs: null },
      { median: 1, interval: null, pairs: 3 },
    ]));
  test('against the other arm they have the other sign', () =>
    expect(
      cells(
        [
          [1, 2],
          [10, 20],
          [30, 24],
        ],
        1,
      )[0]!,
    ).toMatchObject({ median: -1, pairs: 3 }));
  test('an unknown value is no difference', () =>
    expect(
      cells([
        [1, 2],
        [null, 20],
        [30, 34],
        [40, 46],
      ]),
    ).toMatchObject([{ median: 30 }, { median: 4, pairs: 3 }]));
  test('pairs that a simulator played alike count once', () =>
    expect(
      cells([
        [1, 2],
        [1, 2],
        [1, 2],
        [1, 4],
      ])[1]!,
    ).toMatchObject({ median: 2, pairs: 2 }));
  test('a pair without a session of the reference arm is not compared', () => {
    const headers = [...campaign(3), header('bola/h3-only', 3)];
    const rows = armRows(
      headers.map((_, place) => [metric(place * place)]),
      { arms: armsOf(headers).map(({ places }) => places), pairs: pairsOf(headers, 0), reference: 0 },
    );
    expect(rows[0]!.cells[1]).toMatchObject({ median: 5, pairs: 3 });
  });
  test('an interval from so many pairs on, among the differences and around their median', () => {
    const pairs = Array.from({ length: MIN_INTERVAL }, (_, pair) => [pair, 2 * pair + 3] as const);
    expect(cells(pairs.slice(1))[1]!.interval).toBeNull();
    const { median, interval } = cells(pairs)[1]!;
    // The differences are 3 to 11. Five or more of nine draws are 3 or 4 with 3.1 %, and 3 with less than 0.5 %.
    expect([median, interval]).toEqual([7, [4, 10]]);
  });
  test('only those of the tables', () => {
    const headers = campaign(3);
    const rows = armRows(
      headers.map(() => [metric(1, { isHeadline: false, id: 'rest' }), metric(2)]),
      { arms: armsOf(headers).map(({ places }) => places), pairs: pairsOf(headers, 0), reference: 0 },
    );
    expect(rows.map(({ id }) => id)).toEqual(['stalls']);
  });
});
