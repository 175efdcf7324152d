import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import {
  metricsCsv,
  formatMetrics,
  formatP1203,
  metricsJson,
  windowsCsv,
  windowsCsvHead,
} from './formats.ts';
import { metricCell } from '../../experiment/runner/metricCells.ts';
import { metricList } from '../options.ts';
import { exampleSession, playback, stalledSession } from '../../src/analysis/timeline/example.testing.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import { pick } from '../../src/shared/registry.ts';

const log = stalledSession;
const asked = metricList('join-time,requests,tcp-share');

describe('a session’s metrics', () => {
  it('as text: value with unit, parts, or why there is none', () =>
    expect(formatMetrics(log, asked).split('\n')).toEqual([
      'join-time        500 ms',
      'requests           1                     h3 1',
      'tcp-share          –                     The protocol of every media request is unknown.',
    ]));

  it('as CSV: a row per metric and part, no value is an empty cell', () =>
    expect(metricsCsv('a,b.json', log, asked).split('\r\n')).toEqual([
      '"a,b.json",synthetic-example,,,,join-time,,500,ms,,',
      '"a,b.json",synthetic-example,,,,requests,,1,,,',
      '"a,b.json",synthetic-example,,,,requests,h3,1,,,',
      '"a,b.json",synthetic-example,,,,tcp-share,,,%,,The protocol of every media request is unknown.',
      '',
    ]));

  it('a wait whose end the log does not have is a lower bound, in each form', () => {
    const cut = exampleSession([playback(100, 'play-requested'), playback(3100, 'stopped')]);
    const join = metricList('join-time');
    expect(formatMetrics(cut, join)).toBe(
      'join-time     ≥ 3000 ms                  No frame had played when the wait ended.',
    );
    expect(metricsCsv('a.json', cut, join)).toBe('a.json,synthetic-example,,,,join-time,,3000,ms,true,\r\n');
    expect(JSON.parse(metricsJson('a.json', cut, join))).toMatchObject({
      metrics: { 'join-time': { unit: 'ms', value: 3000, lowerBound: true } },
    });
  });

  it('as JSON', () =>
    expect(JSON.parse(metricsJson('a.json', log, asked))).toMatchObject({
      file: 'a.json',
      id: 'synthetic-example',
      metrics: {
        'join-time': { unit: 'ms', value: 500 },
        requests: { by: { h3: 1 } },
        'tcp-share': { value: null },
      },
    }));

  it('by windows, with as many cells as the head', () => {
    const rows = windowsCsv('a.json', log).trimEnd().split('\r\n');
    expect(rows).toEqual([
      'a.json,synthetic-example,1,0,30000,,,0,3,1000,1000,,3',
      'a.json,synthetic-example,2,30000,60000,,,0,0,1000,1000,0,1.5',
    ]);
    expect(rows[0]!.split(',')).toHaveLength(windowsCsvHead.split(',').length);
  });
});

describe('a cell of a table', () => {
  const metric = (id: string) => pick(metrics, id);
  it.each([
    ['requests', { value: 5, by: { h3: 3, h2: 2 } }, '3 h3 + 2 h2'],
    ['protocol-switches', { value: 0, by: {} }, '0'],
    ['effective-throughput', { value: 1000.4, by: { h2: 900.2, h3: 1100 } }, '1000 (h2 900, h3 1100)'],
    ['effective-throughput', { value: 1000.4, by: { h3: 1000.4 } }, '1000'],
    ['qoe-linear', { value: -0.0001, by: { quality: 1, switching: -1 } }, '0.000'],
    ['live-latency', { value: 6.527, error: 0.047 }, '6.53 ± 0.05'],
    ['live-latency', { value: 6.527, error: null }, '6.53 ± ?'],
    ['tcp-share', { value: null }, '–'],
    ['seek-wait', { value: 5400.2, lowerBound: true as const }, '≥ 5400'],
    ['tcp-share', { value: 12.34 }, '12.3'],
  ])('%s of %j is "%s"', (id, measured, text) => expect(metricCell(metric(id), measured)).toBe(text));
});

describe('--metrics', () => {
  it('all', () => expect(metricList('all')).toBe(metrics));
  it('an unknown one is named, with what is known', () =>
    expect(() => metricList('join-time,magic')).toThrow(/Unknown metric "magic"; known: .*; or all \(docs/));
});

it.each([
  [{ screen: 'big', fps: null }, /--screen takes a width and a height/],
  [{ screen: '1920x1080', fps: NaN }, /--fps takes a number above 0/],
  [{ screen: '1920x1080', fps: null }, /^lap\.json: The browser counted no frames/],
])('P.1203 of %j is refused', (options, sentence) =>
  expect(() => formatP1203('lap.json', log, options)).toThrow(sentence),
);

describe('pitwall metrics', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-metrics-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(path.join(folder, 'lap.json'), JSON.stringify(log));
  const root = path.dirname(path.dirname(import.meta.dirname));
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [path.join(root, 'bin', 'pitwall'), 'metrics', ...args], {
      encoding: 'utf8',
      cwd: folder,
    });

  it('prints what it can read, says what it cannot, and fails', () => {
    const { stdout, stderr, status } = run('gone.json', 'lap.json', '--metrics', 'join-time', '--json');
    expect(JSON.parse(stdout)).toMatchObject([
      { file: 'lap.json', metrics: { 'join-time': { value: 500 } } },
    ]);
    expect(stderr).toBe('pitwall: gone.json: cannot be read (ENOENT).\n');
    expect(status).toBe(1);
  });

  it('ends with 6 where a session meets a condition, and with 1 where a session cannot be read', () => {
    const check = (...args: string[]) => run('lap.json', '--metrics', 'join-time', '--csv', ...args);
    const failed = check('--fail-if', 'rebuffer-rate > 1', '--fail-if', 'join-time > 1000');
    expect(failed.stdout).toContain('join-time,,500,ms,');
    expect(failed.stderr).toMatch(/^pitwall: lap\.json: --fail-if "rebuffer-rate > 1": .* is 5\.0 % \(.*\n$/);
    expect(failed.status).toBe(6);
    expect(check('--fail-if', 'join-time > 1000').status).toBe(0);
    expect(check('gone.json', '--fail-if', 'rebuffer-rate > 1').status).toBe(1);
    expect(check('--fail-if', 'rebuffer-rate').status).toBe(2);
    expect(check('--fail-if', 'rebuffer-rate > 1', '--definitions').status).toBe(2);
  });

  it('takes folders, of a campaign that of its sessions, and nothing that a failed try left', () => {
    const sessions = path.join(folder, 'campaign', 'sessions');
    mkdirSync(sessions, { recursive: true });
    writeFileSync(path.join(folder, 'campaign', 'plan.json'), '{}');
    for (const name of ['a.json', 'b.partial.json', 'c.race-faults.json'])
      writeFileSync(path.join(sessions, name), JSON.stringify(log));
    const whole = run('campaign', '--metrics', 'join-time', '--json');
    expect(JSON.parse(whole.stdout)).toMatchObject([{ file: path.join('campaign', 'sessions', 'a.json') }]);
    expect(whole.stderr).toBe(
      `pitwall: ${path.join('campaign', 'sessions')}: 1 partial log of failed tries (.partial.json) ignored.\n`,
    );
    expect(whole.status).toBe(0);
    const named = run(path.join('campaign', 'sessions', 'b.partial.json'), '--csv');
    expect(named.stderr).toMatch(
      /^pitwall: campaign.*b\.partial\.json: This is the partial log of a failed try/,
    );
    expect(named.status).toBe(1);
    mkdirSync(path.join(folder, 'empty'));
    expect(run('empty').stderr).toBe('pitwall: empty: There is no session log in this folder.\n');
  });

  it('makes P.1203 input, and says what it assumed beside it', () => {
    const { stdout, stderr, status } = run('lap.json', '--p1203', '--fps', '25');
    expect(JSON.parse(stdout)).toMatchObject({
      I23: {
        stalling: [
          [0, 0.5],
          [8.5, 3],
        ],
      },
    });
    expect(stderr).toMatch(/lap\.json: Audio is left out: /);
    expect(status).toBe(0);
  });

  it.each([
    [['lap.json', '--json', '--csv'], /cannot be used with/, 2],
    [[], /Name session logs/, 2],
    [['lap.json', 'lap.json', '--p1203'], /one session at a time/, 2],
  ])('%j is refused', (args, sentence, code) => {
    const { stderr, status } = run(...args);
    expect(stderr).toMatch(sentence);
    expect(status).toBe(code);
  });
});
