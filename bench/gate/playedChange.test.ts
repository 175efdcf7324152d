import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { askedOf, keepPlayed, playedOf, readPlayed, whyNoResult } from './playedChange.ts';
import type { GateOutcome } from '../../experiment/gate/runGate.ts';
import { usualGate } from '../../experiment/design/gateFile.ts';
import { gateVerdict, type GatePair } from '../../experiment/verdict/gateVerdict.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-played-change-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const build = path.join(folder, 'build.js');
writeFileSync(build, 'one');
const setting = { gate: usualGate, workers: 1 };
const change = { base: 'dashjs@5.2.1', next: build };

const session = (kbps: number, stallPercent: number) => ({
  played: true,
  values: new Map([
    ['mean-bitrate', kbps],
    ['rebuffer-rate', stallPercent],
    ['join-time', 800],
  ]),
});
const pairs = Array.from({ length: 12 }, (): GatePair => [[session(2000, 0), session(1500, 2)]]);
const looks = [{ pairs: 12, share: 1 }];
const outcome = {
  ...gateVerdict({ ...usualGate, rareShare: 0.25 }, pairs, { looks, isOver: true, resamples: 1000 }),
  looks,
  elapsedMs: 90_000,
  flagged: 1,
} as unknown as GateOutcome;

test('a release is known by its version, a file by what is in it', () => {
  const asked = askedOf(change, setting);
  expect(asked.base).toBe('dashjs@5.2.1');
  expect(asked.next).toMatch(/^sha256:[\da-f]{64}$/);
  writeFileSync(build, 'two');
  expect(askedOf(change, setting).next).not.toBe(asked.next);
});

test('a finished gate is found again, and only the same gate', () => {
  const asked = askedOf(change, setting);
  expect(readPlayed(folder, 'fault', asked)).toBeNull();
  const played = playedOf('fault', asked, outcome);
  keepPlayed(folder, played);
  expect(readPlayed(folder, 'fault', asked)).toEqual(played);
  for (const other of [
    { ...setting, workers: 2 },
    { ...setting, gate: { ...usualGate, seed: 2 } },
    { ...setting, gate: { ...usualGate, minutes: 5 } },
  ])
    expect(() => readPlayed(folder, 'fault', askedOf(change, other))).toThrow(
      `${path.join(folder, 'fault.json')}: It is the result of another gate`,
    );
});

test.each(['{}', '[', '{"schema":"pitwall-gate-history/0"}'])('%s is no result', (text) => {
  writeFileSync(path.join(folder, 'odd.json'), text);
  expect(() => readPlayed(folder, 'odd', askedOf(change, setting))).toThrow('odd.json: It is no result');
});

test('the result of a gate has its looks, pairs and ratios', () => {
  const played = playedOf('fault', askedOf(change, setting), outcome);
  expect(played).toMatchObject({
    id: 'fault',
    verdict: 'regression',
    minutes: 1.5,
    looks: 1,
    pairs: 12,
    leftOut: 1,
  });
  const [plays, bitrate, stalls] = played.judgements;
  expect(plays).toMatchObject({ metric: 'plays', ratio: null, state: 'within' });
  expect(bitrate).toMatchObject({ metric: 'mean-bitrate', change: '−25.0 %', state: 'regression' });
  expect(bitrate!.ratio).toBeCloseTo(0.75, 9);
  // A base without stalls has no ratio.
  expect(stalls).toMatchObject({ metric: 'rebuffer-rate', base: 0, next: 2, ratio: null });
});

test('a gate of which no pair counts has no result', () => {
  expect(whyNoResult({ pairs: 1, leftOut: 3 }, 'runs/fault')).toBeNull();
  expect(whyNoResult({ pairs: 0, leftOut: 3 }, 'runs/fault')).toBe(
    'No pair counts, and 3 were left out because the machine was overloaded. Remove runs/fault and play it again.',
  );
});
