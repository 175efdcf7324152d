import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { startingTrial } from '../design/startingTrial.ts';
import type { Trial } from '../design/trialFile.ts';
import {
  armAt,
  assign,
  drawKeyOf,
  isInWashout,
  periodAt,
  pointOf,
  type Hash,
} from '../../src/shared/assignment.ts';
import { sha256 } from '../../src/shared/sha256.ts';
import { assignArm, pageTrial, pathwayPriority, steeringManifest } from './assign.ts';

const hash: Hash = (text) => createHash('sha256').update(text).digest();
const trial = startingTrial('a salt of the test');
const switchback: Trial = { ...trial, unit: { kind: 'switchback', periodMinutes: 60, washoutMinutes: 20 } };
const HOUR_MS = 3_600_000;
const BEGAN_MS = Date.UTC(2026, 0, 5);

const armsOf = (of: Trial, count: number): string[] =>
  Array.from(
    { length: count },
    (_, index) =>
      assignArm(of, { session: `s${index}`, viewer: `v${index % 50}`, beganMs: BEGAN_MS }, hash)!.arm.pathway,
  );

describe('assignment by id', () => {
  it('is the same for one id and salt, and independent for another salt', () => {
    expect(armsOf(trial, 200)).toEqual(armsOf(trial, 200));
    const other = armsOf({ ...trial, salt: 'another salt of it' }, 2000);
    const same = armsOf(trial, 2000).filter((arm, index) => arm === other[index]).length;
    expect(same / 2000).toBeGreaterThan(0.45);
    expect(same / 2000).toBeLessThan(0.55);
  });

  it('has the shares of the file', () => {
    const [tcp, h3] = trial.arms as [Trial['arms'][number], Trial['arms'][number]];
    const uneven = {
      ...trial,
      arms: [
        { ...tcp, share: 0.8 },
        { ...h3, share: 0.2 },
      ],
    };
    const share = armsOf(uneven, 20_000).filter((arm) => arm === 'h3').length / 20_000;
    expect(Math.abs(share - 0.2)).toBeLessThan(0.01);
    expect(armAt(uneven.arms, 0.7999).pathway).toBe('tcp');
    expect(armAt(uneven.arms, 0.8).pathway).toBe('h3');
    expect(
      armAt(
        [
          { ...tcp, share: 0.333 },
          { ...h3, share: 0.666 },
        ],
        0.9999,
      ).pathway,
    ).toBe('h3');
  });

  it('keeps all sessions of a viewer in one arm, and needs the viewer for that', () => {
    const byViewer: Trial = { ...trial, unit: { kind: 'viewer' } };
    const arms = armsOf(byViewer, 200);
    expect(arms.every((arm, index) => arm === arms[index % 50])).toBe(true);
    expect(assignArm(byViewer, { session: 's', viewer: null, beganMs: BEGAN_MS }, hash)).toBeNull();
  });

  // SHA-256 of "abc" begins ba7816bf 8f01cfea (FIPS 180-4, example).
  it('reads 52 bits of the hash', () => expect(pointOf(hash('abc'))).toBe(0xba7816bf8f01c / 2 ** 52));
});

describe('switchback', () => {
  it('gives each arm one of two neighbouring periods, in a drawn order', () => {
    const arms = Array.from({ length: 400 }, (_, hour) => {
      const beganMs = BEGAN_MS + hour * HOUR_MS;
      const early = assignArm(switchback, { session: 'a', viewer: null, beganMs }, hash)!;
      const late = assignArm(
        switchback,
        { session: 'b', viewer: 'v', beganMs: beganMs + HOUR_MS - 1 },
        hash,
      )!;
      expect(early).toEqual(late);
      return early.arm.pathway;
    });
    const pairs = Array.from({ length: 200 }, (_, pair) => arms.slice(2 * pair, 2 * pair + 2).join());
    expect(new Set(pairs)).toEqual(new Set(['tcp,h3', 'h3,tcp']));
    const first = pairs.filter((pair) => pair === 'h3,tcp').length;
    expect(first).toBeGreaterThan(70);
    expect(first).toBeLessThan(130);
  });

  it('leaves out what begins soon after a switch', () => {
    expect(isInWashout(switchback, BEGAN_MS)).toBe(true);
    expect(isInWashout(switchback, BEGAN_MS + HOUR_MS / 3)).toBe(false);
    expect(isInWashout(trial, BEGAN_MS)).toBe(false);
    expect(periodAt(switchback, BEGAN_MS + HOUR_MS)).toBe(periodAt(switchback, BEGAN_MS) + 1);
  });
});

it('answers with the assigned pathway first, and with the default after the kill switch', () => {
  const arm = trial.arms[1]!;
  expect(steeringManifest(trial, { arm, reloadUri: 'steering?session=a' })).toEqual({
    VERSION: 1,
    TTL: 300,
    'RELOAD-URI': 'steering?session=a',
    'PATHWAY-PRIORITY': ['h3', 'tcp'],
  });
  expect(steeringManifest(trial, { arm: null, reloadUri: 'x' })['PATHWAY-PRIORITY']).toEqual(['tcp', 'h3']);
  expect(pathwayPriority(trial, trial.arms[0]!)).toEqual(['tcp', 'h3']);
});

it('is the same in a page, which has no salt', () => {
  for (const of of [trial, { ...trial, unit: { kind: 'viewer' } } as Trial, switchback]) {
    const page = pageTrial(of, hash);
    expect(JSON.stringify(page)).not.toContain(of.salt);
    for (let index = 0; index < 200; index++) {
      const asked = { session: `s${index}`, viewer: `v${index}`, beganMs: BEGAN_MS + index * HOUR_MS };
      expect(assign(page, asked, sha256)!.arm.pathway).toBe(assignArm(of, asked, hash)!.arm.pathway);
    }
  }
  expect(drawKeyOf('one', hash)).not.toBe(drawKeyOf('other', hash));
});
