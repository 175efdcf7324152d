import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { formatHeadline, formatJunit, formatMarkdown, formatText, isTooBusy } from './formatGate.ts';
import { comparedArms } from './gateArms.ts';
import {
  judgesOf,
  keepState,
  rareOf,
  readState,
  STATE_SCHEMA,
  type GateState,
  planNextLook,
} from './gateState.ts';
import type { PlannedSession } from '../design/plan.ts';
import { namedFiles } from '../resolve/weights.ts';
import { usualGate } from '../design/gateFile.ts';
import { gateVerdict, type GatePair, type HeavySessions } from '../verdict/gateVerdict.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-gate-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const compared = (base: string, next: string) => comparedArms({ base, next }, usualGate, '.');

describe('BASE and NEW', () => {
  it('two rules', async () => {
    expect((await compared('bola', 'fixed:level=1')).arms).toEqual({
      rules: ['bola', 'fixed:level=1'],
      compare: 'rules',
    });
  });
  it('a rule against itself', async () => {
    expect((await compared('bola', 'bola')).arms).toMatchObject({
      rules: ['bola'],
      aaLabels: ['base', 'new'],
    });
  });
  it('two pages', async () => {
    expect((await compared('dashjs@5.0.3', 'built')).arms.pages).toEqual([
      { name: 'base', page: 'dashjs@5.0.3' },
      { name: 'new', page: 'built' },
    ]);
  });
  it.each([
    ['hls.js@1.7.0', 'hls.js@1.7.4', 'hlsjs'],
    ['shaka-player@5.2.11', 'node_modules/shaka-player', 'shaka'],
    ['built', 'node_modules/hls.js/dist/hls.min.js', 'hlsjs'],
  ])('%s and %s are played by %s and its own rule', async (base, next, player) => {
    expect((await compared(base, next)).arms).toEqual({
      players: [player],
      rules: ['own'],
      compare: 'pages',
      pages: [
        { name: 'base', page: base },
        { name: 'new', page: next },
      ],
    });
  });
  it('a rule of the gate file decides in the player of the builds', async () => {
    const { arms } = await comparedArms({ base: 'hls.js@1.7.0', next: 'built' }, { rule: 'bba-2' }, '.');
    expect(arms).toMatchObject({ players: ['hlsjs'], rules: ['bba-2'] });
  });
  it('weights are those of the rule that their format belongs to', async () => {
    const { arms } = await compared('bola', 'public/models/neural.json');
    expect(arms.rules).toEqual(['bola', 'neural:weights=public/models/neural.json']);
  });
  it('two versions of a rule file, or one that has not changed', async () => {
    const version = (name: string, level: number): string => {
      writeFileSync(
        path.join(folder, name),
        `export default { id: 'mine', start: () => 0, observe: () => 0, decide: () => ({ rung: 0, because: '${level}' }) };`,
      );
      return path.join(folder, name);
    };
    const [old, copy, now] = [version('old.js', 1), version('copy.js', 1), version('new.js', 2)];
    const files = [old, now].map((file) => path.relative('.', file));
    const { arms, isBase } = await compared(old, now);
    expect(arms).toEqual({ rules: files, compare: 'rules' });
    const names = (await namedFiles(files, '.')).map(({ rule }) => rule);
    expect(names.map((rule) => isBase({ rule } as PlannedSession))).toEqual([true, false]);
    expect((await compared(old, copy)).arms).toMatchObject({ aaLabels: ['base', 'new'] });
    expect((await compared(old, 'bola')).arms.rules).toEqual([files[0], 'bola']);
  });
  it.each([
    ['bola', 'built', 'BASE (bola) is a rule and NEW (built) is a page: '],
    [
      'bola',
      'bolla',
      'bolla: It is no rule, no page and no build of dash.js, hls.js or Shaka. Unknown rule "bolla"',
    ],
    [
      'hls.js@1.7.4',
      'dashjs@5.2.1',
      'BASE (hls.js@1.7.4) is a build of hls.js and NEW (dashjs@5.2.1) one of dash.js: a gate',
    ],
    ['bola', './nowhere/dist', './nowhere/dist: There is no such file or folder.'],
    ['bola', 'package.json', 'package.json: It is no file of weights'],
    ['bola', 'nowhere.json', 'nowhere.json: There is no such file or folder.'],
  ])('%s and %s', async (base, next, sentence) => {
    const refused = compared(base, next);
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('the next look', () => {
  const planned = {
    gate: { minutes: 15 },
    workers: 2,
    design: { pairs: 24, looks: [8, 16, 24], rounds: 12, pairMs: 60_000 },
  };
  const look = (pairs: number, played = pairs) => ({ looks: [{ pairs, share: pairs / 24 }], played });
  it.each([
    ['the first is as designed', { looks: [], played: 2 }, 30_000, { pairs: 8, share: 8 / 24 }],
    ['there is time', look(8), 280_000, { pairs: 16, share: 16 / 24 }],
    ['the last as designed', look(16), 500_000, { pairs: 24, share: 1 }],
    ['time for a part of it', look(8), 700_000, { pairs: 10, share: 1 }],
    ['no time: the same pairs with what is left of alpha', look(8), 895_000, { pairs: 8, share: 1 }],
    ['interrupted: what was played costs nothing', look(8, 14), 780_000, { pairs: 16, share: 16 / 24 }],
    ['interrupted, no time: all that was played', look(8, 13), 895_000, { pairs: 13, share: 1 }],
  ])('%s', (_, state, nowMs, next) => expect(planNextLook(planned, state, nowMs)).toEqual(next));
});

test('the state of a folder comes back, and another file is refused', () => {
  expect(readState(folder, usualGate, 'a')).toMatchObject({ looks: [], isOver: false });
  const state: GateState = {
    schema: STATE_SCHEMA,
    looks: [{ pairs: 4, share: 0.5 }],
    elapsedMs: 7,
    isOver: false,
    judges: judgesOf(usualGate),
    sourcesSha256: 'a',
  };
  keepState(folder, state);
  expect(readState(folder, usualGate, 'a')).toEqual(state);
  expect(() => readState(folder, usualGate, 'b')).toThrow(
    'This gate was played with another page of Pitwall',
  );
  const [metric] = usualGate.metrics;
  expect(() =>
    readState(folder, { ...usualGate, metrics: [{ ...metric!, marginPercent: 40 }] }, 'a'),
  ).toThrow('This gate was begun with other metrics, margins, alpha, rare share, looks or minutes.');
  writeFileSync(path.join(folder, 'gate.json'), '{}');
  expect(() => readState(folder, usualGate, 'a')).toThrow('It is not the state of a gate of this version.');
});

/** Twelve pairs rule one in four out, those of the usual gate are more. */
const shortGate = { ...usualGate, minutes: 15, rareShare: 0.25 };
const session = (kbps: number, joinMs: number) => ({
  played: true,
  values: new Map([
    ['mean-bitrate', kbps],
    ['rebuffer-rate', 0],
    ['join-time', joinMs],
  ]),
});
function outcomeWith(next: readonly [number, number], spreadMs = 1) {
  const pairs = Array.from({ length: 12 }, (_, index): GatePair => [
    [session(2000 + index, 800), session(next[0] - index, next[1] + (index % 2) * spreadMs)],
  ]);
  const looks = [{ pairs: 12, share: 1 }];
  return {
    ...gateVerdict(shortGate, pairs, { looks, isOver: true, resamples: 1000 }),
    base: 'dashjs@5.0.3',
    next: 'build_<new>|',
    looks,
    elapsedMs: 754_000,
    gate: shortGate,
    scope: '12 pairs of 2 networks',
    flagged: 1,
    begun: 13,
    flaggedLines: '1 of 13 pairs left out',
    notPlayed: 0,
    countedOn: new Map([
      ['a', 6],
      ['b', 6],
    ]),
  };
}

test('the first line is the verdict, and no line is wider than a terminal', () => {
  const lines = formatText(outcomeWith([1500, 800])).split('\n');
  expect(lines[0]).toBe('regression: mean bitrate −25.5 %, margin 5 % (build_<new>| against dashjs@5.0.3)');
  expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(formatText(outcomeWith([2000, 800])).split('\n')[0]).toMatch(/^no regression beyond the margins \(/);
});

test('JUnit XML: a failure for a regression, an error where nothing can be said', () => {
  const kindsOf = (xml: string): string[] => [...xml.matchAll(/<(\w+) message=/g)].map(([, kind]) => kind!);
  const worse = formatJunit(outcomeWith([1500, 800]));
  expect(kindsOf(worse)).toEqual(['failure']);
  const verdict = 'regression: mean bitrate −25.5 %, margin 5 % (build_&lt;new>| against dashjs@5.0.3)';
  expect(worse).toContain(`<property name="verdict" value="${verdict}"/>`);
  expect(worse).toContain(`<system-out>${verdict}</system-out>\n  </testsuite>`);
  expect(worse).toContain('tests="4" failures="1" errors="0" skipped="0" time="754.0"');
  expect(worse.match(/<testcase /g)).toHaveLength(4);
  expect(worse.match(/<testcase [^>]* time="188.5">|<testcase [^>]* time="188.5"\/>/g)).toHaveLength(4);
  expect(kindsOf(formatJunit(outcomeWith([2000, 800], 300)))).toEqual(['error']);
});

test('JUnit XML: the sentence is content, too, and no name differs from one run to the next', () => {
  const runs = [outcomeWith([1500, 800]), outcomeWith([2000, 800], 300)].map(formatJunit);
  const content = [...runs[0]!.matchAll(/<failure message="([^"]*)">([^<]*)<\/failure>/g)];
  expect(content).toHaveLength(1);
  expect(content[0]![2]).toBe(content[0]![1]);
  expect(content[0]![1]).toMatch(/^mean bitrate −25\.5 %, margin 5 %; /);
  const namesOf = (xml: string) =>
    [...xml.matchAll(/<test(?:suite|case) [^>]*?name="[^"]*"( name="[^"]*")?/g)].map(([text]) => text);
  expect(namesOf(runs[0]!)).toEqual(namesOf(runs[1]!));
  expect(namesOf(runs[0]!)[0]).toBe('<testsuite name="pitwall gate"');
});

test('sessions that overload the machine have a row and a test case, and what is left of a network is said', () => {
  const shown = outcomeWith([2000, 800]);
  const pairs = Array.from({ length: 12 }, (): GatePair => [[session(2000, 800), session(2000, 800)]]);
  const heavy = pairs.map((_, place): HeavySessions => [0, place < 5 ? 1 : 0]);
  const looks = [{ pairs: 12, share: 1 }];
  const judged = gateVerdict(shortGate, pairs, { looks, isOver: true, resamples: 100, heavy });
  const heavier = {
    ...shown,
    ...judged,
    countedOn: new Map([
      ['a', 6],
      ['b', 0],
    ]),
  };
  expect(formatText(heavier)).toMatch(
    /^cannot tell within the budget of 15 min: 5 sessions of NEW overloaded the machine or began late, 0 of BASE: those that are left are the better ones/,
  );
  expect(formatText(heavier)).toMatch(/^machine too busy +0 +5 +\+5 +– +– +cannot tell$/m);
  expect(formatText(heavier)).toContain('Pairs that count: a 6; b none.');
  expect(formatText(shown)).not.toContain('Pairs that count');
  expect(formatJunit(heavier)).toMatch(
    /name="load" time="[\d.]+">\s*<error message="5 sessions of NEW overloaded .* better ones; 12 pairs"/,
  );
  expect(
    Math.max(
      ...formatText(heavier)
        .split('\n')
        .slice(1)
        .map(({ length }) => length),
    ),
  ).toBeLessThanOrEqual(80);
});

test('what is ruled out of rare faults is said in every result, and how many pairs would do', () => {
  const shown = outcomeWith([2000, 800]);
  const pairs = Array.from({ length: 12 }, (): GatePair => [[session(2000, 800), session(2000, 800)]]);
  const looks = [{ pairs: 12, share: 1 }];
  const strict = { ...shortGate, rareShare: 0.05 };
  const judged = gateVerdict(strict, pairs, { looks, isOver: true, resamples: 100 });
  const open = { ...shown, ...judged, gate: strict };
  const dead =
    'NEW did not play, though BASE did, in 0 of 12 pairs: in at most 22.1 % of sessions (95 %); 59 pairs would rule out 5 %';
  expect(formatHeadline(open)).toMatch(/^cannot tell within the budget of 15 min: /);
  expect(formatHeadline(open)).toContain(dead);
  expect(formatText(open).replaceAll(/\s+/g, ' ')).toContain(`Not ruled out in 5 % of sessions: ${dead}.`);
  expect(formatMarkdown(open)).toContain(dead);
  expect(formatJunit(open)).toContain(`<system-out>Not ruled out in 5 % of sessions: ${dead}.</system-out>`);
  expect(rareOf(judged.judgements)).toMatchObject({
    plays: { bad: 0, pairs: 12 },
    'rebuffer-rate': { bad: 0, pairs: 12 },
  });
  expect(formatText(shown).replaceAll(/\s+/g, ' ')).toContain(
    'Ruled out in 25 % of sessions or more: NEW stalled by 1.8 percentage points more than BASE in 0 of 12 pairs: in at most 22.1 % of sessions (95 %).',
  );
});

test('where most pairs are left out, the machine is the reason, and what is empty is not printed', () => {
  const judged = gateVerdict(shortGate, [[], []], { looks: [{ pairs: 2, share: 1 }], isOver: true });
  const busy = { ...outcomeWith([2000, 800]), ...judged, flagged: 2, begun: 2 };
  expect(formatHeadline(busy)).toBe(
    'cannot tell: this machine is too busy, 2 of 2 pairs left out (build_<new>| against dashjs@5.0.3)',
  );
  expect(formatText(busy)).not.toMatch(/ruled out|one of|About|Margins|alpha/);
  expect(formatText(busy).replaceAll(/\s+/g, ' ')).toContain('More minutes do not help');
  expect(formatText(busy).match(/left out/g)).toHaveLength(2);
  expect(formatJunit(busy)).toContain('<error message="this machine is too busy"');
  expect(formatJunit(busy)).not.toContain('95 % –');
  expect(isTooBusy(busy)).toBe(true);
  expect(isTooBusy({ ...busy, flagged: 0 })).toBe(false);
  expect(isTooBusy({ ...busy, verdict: 'regression' })).toBe(false);
});

test('a metric without any value: the result says why', () => {
  const gate = { ...shortGate, metrics: [{ metric: 'window-bitrate', marginPercent: 5 }] };
  const pairs = Array.from({ length: 12 }, (): GatePair => [[session(2000, 800), session(2000, 800)]]);
  const looks = [{ pairs: 12, share: 1 }];
  const judged = gateVerdict(gate, pairs, { looks, isOver: true, resamples: 100 });
  expect(formatText({ ...outcomeWith([2000, 800]), ...judged }).replaceAll(/\s+/g, ' ')).toContain(
    'No pair has a value of bitrate per window: the session is shorter than a window, or no video played in any window.',
  );
  const early = { ...outcomeWith([2000, 800]), ...judged, looks: [{ pairs: 6, share: 0.5 }] };
  expect(formatText(early)).toMatch(/^cannot tell: bitrate per window \(/);
});

test('Markdown: what the command line named is no markup', () => {
  const text = formatMarkdown(outcomeWith([1500, 800]));
  expect(text).toContain('### Pitwall gate: regression');
  expect(text).toContain('build\\_\\<new\\>\\|');
});
