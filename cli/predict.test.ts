import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { formatPredictions, predictionCsv } from './predict.ts';
import { main } from './main.ts';
import { runMain } from './runMain.testing.ts';
import { metricList } from './options.ts';
import { predict, type KnownSession } from '../src/analysis/prediction.ts';

const inputs = metricList('throughput');
const targets = metricList('mean-bitrate,switches,seek-wait');

const sessions: readonly KnownSession[] = [1, 2, 4, 8, 16].map((rate, place) => ({
  id: `s${place}`,
  arm: 'bola/h2',
  network: `n${place}`,
  machine: place < 3 ? 'a' : 'b',
  values: {
    throughput: 1000 * rate,
    'mean-bitrate': 100 * (place + 1),
    switches: place === 4 ? null : 3,
    'seek-wait': null,
  },
}));
const predictions = predict(sessions, { inputs, targets });

test('says what was predicted from what, the errors, and what was not predicted', () => {
  const lines = formatPredictions(predictions, { inputs, columns: 400 }).split('\n');
  expect(lines.slice(0, 2)).toEqual([
    '5 sessions on 5 networks, on 2 machines.',
    'Inputs: logarithm of throughput.',
  ]);
  const rows = lines.slice(5).map((line) => line.split(/ {2,}/));
  expect(rows.slice(0, 4)).toEqual([
    // A bitrate is 100 × (1, 2, 3, 4, 5): the mean of the others is off by 250, 125, 0, 125 and 250.
    ['metric', 'model', 'mean error', 'root mean square', ...rows[0]!.slice(4)],
    ['mean bitrate, kbit/s', 'mean', '150', '177'],
    ['mean bitrate, kbit/s', 'linear', '0', '0', '100', '4 of 5', '+150', expect.anything() as string],
    ['mean bitrate, kbit/s', 'nearest 5', '150', '177', '0', '0 of 5', '0', '0 to 0'],
  ]);
  expect(lines.slice(-3)).toEqual([
    '',
    'switches: 4 sessions on 4 networks with a value.',
    'seek-wait: 0 sessions on 0 networks with a value; too few networks.',
  ]);
});

test.each([
  [['a', null], 'at least 1 machine'],
  [[null], 'machines not named'],
  [['simulator'], 'simulated'],
  [['a', 'simulator'], 'on 1 machine and simulated'],
])('machines %j are "%s"', (machines, words) => {
  const played = sessions.map((each, place) => ({ ...each, machine: machines[place % machines.length]! }));
  const text = formatPredictions(predict(played, { inputs, targets }), { inputs, columns: 80 });
  expect(text.split('\n')[0]).toBe(`5 sessions on 5 networks, ${words}.`);
});

test('every prediction is a row, with the inputs', () => {
  const rows = predictionCsv(predictions, inputs).trimEnd().split('\r\n');
  expect(rows).toHaveLength(1 + 5 + 4);
  expect(rows[0]).toBe('session,arm,network,throughput,metric,unit,measured,mean,linear,nearest');
  expect(rows[1]).toMatch(/^s0,bola\/h2,n0,1000,mean-bitrate,kbit\/s,100,350,(100|99\.9+|100\.0+)\d*,350$/);
});

describe('pitwall predict', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-predict-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const HEAD = 'session,rule,network,state,"throughput, kbit/s","response latency, ms",switches';
  const rows = [1, 2, 3, 4].map((place) => `s${place},bola,n${place},finished,${place},${place * place},1`);
  writeFileSync(path.join(folder, 't.csv'), [HEAD, ...rows].join('\n'));
  writeFileSync(path.join(folder, 'two.csv'), [HEAD, ...rows.slice(0, 2)].join('\n'));
  const FILES = /^gone$|\.(csv|json)$/;

  const run = (...args: string[]) => runMain(['predict', ...args], { main, folder, files: FILES });

  test('writes the table within 80 columns, and both files', async () => {
    const { stdout, stderr, status } = await run('t.csv', '--csv', 'out.csv', '--json', 'out.json');
    expect([stderr, status]).toEqual(['', 0]);
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(readFileSync(path.join(folder, 'out.csv'), 'utf8').split('\r\n')[1]).toBe(
      's1,bola,n1,1,1,switches,,1,1,1,1',
    );
    const { predictions: written } = JSON.parse(readFileSync(path.join(folder, 'out.json'), 'utf8')) as {
      predictions: { target: string; models: { meanError: number }[] }[];
    };
    expect(written.find(({ target }) => target === 'switches')).toMatchObject({
      sessions: 4,
      networks: 4,
      models: [{ model: 'mean', meanError: 0 }, { model: 'linear' }, { model: 'nearest' }],
    });
  });

  test.each([
    [['t.csv', '--inputs', 'switches'], /switches is in --inputs and in --targets/, 2],
    [['two.csv'], /^pitwall: two\.csv: .* are of 2 networks, and .* takes 3\.\n$/, 1],
    [['t.csv', '--p1203-score'], /--p1203-score needs session logs/, 2],
    [['t.csv', '--targets', 'magic'], /Unknown metric "magic"/, 2],
    [['gone'], /^pitwall: gone: There is no such folder\.\n$/, 1],
    [['t.csv', '--csv', 'no/such/place.csv'], /There is no such file or folder/, 1],
  ])('%j is refused', async (args, sentence, code) => {
    const { stdout, stderr, status } = await run(...args);
    expect(stderr).toMatch(sentence);
    expect([stdout, status]).toEqual(['', code]);
  });
});
