import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { aaPairsIn, recordedPairs } from './aaPairs.ts';
import { usualGate } from '../../experiment/design/gateFile.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-aa-pairs-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEAD =
  'session,rule,transport,A/A,pair,state,"mean bitrate, kbit/s","rebuffer rate, %","join time, ms"';
const tableOf = (...lines: string[]): string => [HEAD, ...lines, ''].join('\r\n');
const bitratesIn = (text: string) =>
  aaPairsIn(text, usualGate.metrics).map((pair) => pair.map(({ values }) => values.get('mean-bitrate')));

describe('A/A pairs of a table', () => {
  it('two labels of one arm, and an A/A session with what it repeats', () => {
    const text = tableOf(
      ...['1,bola,h2,a,p1,finished,100,0,500', '2,bola,h2,b,p1,finished,110,1,510'],
      ...['3,bola,h3,a,p1,finished,200,0,500', '4,bola,h3,b,p1,finished,210,0,500'],
      ...['5,mpc,h2,,p2,finished,300,0,500', '6,mpc,h2,A/A,p2,finished,310,0,500'],
      ...['7,bba,h2,,p2,finished,400,0,500'],
    );
    expect(bitratesIn(text)).toEqual([
      [100, 110],
      [200, 210],
      [300, 310],
    ]);
    expect(aaPairsIn(text, usualGate.metrics)[0]![1].values).toEqual(
      new Map([
        ['mean-bitrate', 110],
        ['rebuffer-rate', 1],
        ['join-time', 510],
      ]),
    );
  });
  it.each([
    ['another pair', '2,bola,h2,b,p2,finished,110,0,500'],
    ['another arm', '2,mpc,h2,b,p1,finished,110,0,500'],
    ['no finished session', '2,bola,h2,b,p1,invalidated by host overload,110,0,500'],
    ['an unknown value', '2,bola,h2,b,p1,finished,110,,500'],
    ['no ratio', '2,bola,h2,b,p1,finished,0,0,500'],
    ['the same label', '2,bola,h2,a,p1,finished,110,0,500'],
  ])('%s makes no pair', (_, line) =>
    expect(bitratesIn(tableOf('1,bola,h2,a,p1,finished,100,0,500', line))).toEqual([]),
  );
  it('a table without the column has none', () => expect(bitratesIn('session,pair\r\n1,p\r\n')).toEqual([]));
});

test('the committed tables have at least the pairs that docs/gate.md names', async () => {
  const tables = await recordedPairs(process.cwd(), usualGate.metrics);
  const counts = new Map(tables.map(({ file, pairs }) => [path.basename(file), pairs.length]));
  expect(counts.get('equal-transports.csv')).toBe(48);
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(140);
});

test('another table counts too, and one without an A/A pair is one sentence', async () => {
  const file = path.join(folder, 'other.csv');
  writeFileSync(file, tableOf('1,bola,h2,base,p1,finished,100,0,500', '2,bola,h2,new,p1,finished,110,0,500'));
  const tables = await recordedPairs(folder, usualGate.metrics, file);
  expect(tables.map(({ pairs }) => pairs.length)).toEqual([1]);
  writeFileSync(file, tableOf('1,bola,h2,base,p1,finished,100,0,500'));
  await expect(recordedPairs(folder, usualGate.metrics, file)).rejects.toThrow(
    /other\.csv: It has no A\/A pair/,
  );
  writeFileSync(file, 'A/A\r\n"a');
  await expect(recordedPairs(folder, usualGate.metrics, file)).rejects.toThrow(/other\.csv, character \d+/);
});
