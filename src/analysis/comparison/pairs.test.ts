import { describe, expect, test } from 'vitest';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { pairsOf } from './pairs.ts';

const of = (pair: string, arm: string, changes = {}): Pick<SessionHeader, 'design'> => ({
  design: {
    campaign: 'c',
    cell: arm,
    pair,
    arm,
    order: 0,
    seed: 1,
    repeat: Number(pair.split('/')[2] ?? 0),
    ...changes,
  },
});
const none: Pick<SessionHeader, 'design'> = { design: null };

test('sessions of no campaign, and those of one pair, are one group', () => {
  expect(pairsOf([none, none], 1)).toEqual([{ name: null, places: [0, 1], reference: 1 }]);
  expect(pairsOf([of('wifi/bbb/0/1', 'h2'), of('wifi/bbb/0/1', 'h3')], 0)).toEqual([
    { name: null, places: [0, 1], reference: 0 },
  ]);
});

test('in every other pair the session of the same arm is the reference, else the first one', () => {
  const headers = [
    ...[of('wifi/bbb/0/1', 'h2'), of('wifi/bbb/0/1', 'h3')],
    ...[of('lte/bbb/1/1', 'h2'), of('lte/bbb/1/1', 'h3')],
    ...[of('lte/bbb/2/1', 'h1'), of('lte/bbb/2/1', 'h2')],
  ];
  expect(pairsOf(headers, 1)).toEqual([
    { name: 'wifi, repeat 1', places: [0, 1], reference: 1 },
    { name: 'lte, repeat 2', places: [2, 3], reference: 3 },
    { name: 'lte, repeat 3', places: [4, 5], reference: 4 },
  ]);
});

test('a pair of another campaign or block is another pair', () => {
  const headers = [
    of('wifi/bbb', 'h2'),
    of('wifi/bbb', 'h2', { campaign: 'd' }),
    of('wifi/bbb', 'h2', { block: 2 }),
  ];
  expect(pairsOf(headers, 0).map(({ places }) => places)).toEqual([[0], [1], [2]]);
});

test('a session of no campaign is not compared with those of one, and only the others have a name', () =>
  expect(pairsOf([of('wifi/bbb', 'h2'), none, of('wifi/bbb', 'h3')], 2)).toEqual([
    { name: 'c, wifi, bbb, repeat 1, seed 1', places: [0, 2], reference: 2 },
    { name: null, places: [1], reference: 1 },
  ]));

describe('several transfers', () => {
  const transfer = (text: string, transport: 'h2' | 'h3-racing') => ({
    ...of('wifi/files/0/1', `${text}/${transport}`),
    environment: { transfer: text, transport },
  });
  const [short, long] = ['objects:mb=1:pause=500', 'objects:mb=1:pause=4000'];
  test('over several transports: the transports of each are compared, which is what was declared', () => {
    const headers = [
      ...[transfer(short, 'h2'), transfer(short, 'h3-racing')],
      ...[transfer(long, 'h2'), transfer(long, 'h3-racing')],
    ];
    expect(pairsOf(headers, 1)).toEqual([
      { name: short, places: [0, 1], reference: 1 },
      { name: long, places: [2, 3], reference: 3 },
    ]);
  });
  test('over several transports, where transfers were declared: the transfers over each transport are compared', () => {
    const headers = [
      ...[transfer(short, 'h2'), transfer(short, 'h3-racing')],
      ...[transfer(long, 'h2'), transfer(long, 'h3-racing')],
    ].map((each) => ({ ...each, compared: 'transfers' }));
    expect(pairsOf(headers, 2)).toEqual([
      { name: 'h2', places: [0, 2], reference: 2 },
      { name: 'h3-racing', places: [1, 3], reference: 3 },
    ]);
  });
  test('over one transport they are compared themselves', () =>
    expect(pairsOf([transfer(short, 'h2'), transfer(long, 'h2')], 0)).toEqual([
      { name: null, places: [0, 1], reference: 0 },
    ]));
});

test('where the second session of an arm is chosen, other pairs have that arm, if they played it once', () => {
  const headers = [
    ...[of('wifi/bbb/0', 'h1'), of('wifi/bbb/0', 'h2'), of('wifi/bbb/0', 'h2/A/A')],
    ...[of('lte/bbb/0', 'h1'), of('lte/bbb/0', 'h1/A/A'), of('lte/bbb/0', 'h2')],
  ];
  expect(pairsOf(headers, 2).map(({ reference }) => reference)).toEqual([2, 5]);
});
