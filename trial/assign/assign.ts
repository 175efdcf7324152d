import type { Trial, TrialArm } from '../design/trialFile.ts';
import { defaultArm } from '../design/trialFile.ts';

/** SHA-256 of a text: 32 bytes. Node and browsers have it; the core takes it as an argument. */
export type Hash = (text: string) => Uint8Array;

/** Who asks, and when the session began. */
export interface Asked {
  readonly session: string;
  /** null where the request names no viewer. */
  readonly viewer: string | null;
  /** Unix time at which the session began, ms. */
  readonly beganMs: number;
}

export interface Assignment {
  readonly arm: TrialArm;
  /** Index of the switchback period, counted from 1970; null for other units. */
  readonly period: number | null;
}

/** 52 bits of a hash as a number in [0, 1). */
export function pointOf(digest: Uint8Array): number {
  let point = 0;
  for (let index = 0; index < 6; index++) point = point * 256 + digest[index]!;
  return (point * 16 + (digest[6]! >> 4)) / 2 ** 52;
}

/** Returns the arm at a point of [0, 1), by shares in the order of the file. */
export function armAt({ arms }: Pick<Trial, 'arms'>, point: number): TrialArm {
  let end = 0;
  for (const arm of arms) {
    end += arm.share;
    if (point < end) return arm;
  }
  return arms.at(-1)!;
}

/**
 * Assigns an arm: the same for the same salt and id, at any time and on any machine. null where the unit is the viewer and the
 * request names none: such a session is no part of the trial.
 */
export function assign(trial: Trial, { session, viewer, beganMs }: Asked, hash: Hash): Assignment | null {
  const { unit, salt } = trial;
  if (unit.kind === 'switchback') return assignPeriod(trial, periodAt(trial, beganMs), hash);
  const id = unit.kind === 'viewer' ? viewer : session;
  if (id === null) return null;
  return { arm: armAt(trial, pointOf(hash(`${salt}\n${unit.kind}\n${id}`))), period: null };
}

/** Returns the index of the period at a time; 0 for units without periods. */
export const periodAt = ({ unit }: Pick<Trial, 'unit'>, atMs: number): number =>
  unit.kind === 'switchback' ? Math.floor(atMs / (unit.periodMinutes * 60_000)) : 0;

/** Tells whether a session began so soon after a switch that it is not counted. */
export const isInWashout = ({ unit }: Pick<Trial, 'unit'>, atMs: number): boolean =>
  unit.kind === 'switchback' && atMs % (unit.periodMinutes * 60_000) < unit.washoutMinutes * 60_000;

/** Two neighbouring periods are a pair: each arm has one of them, in an order that is drawn. */
export const pairOf = (period: number): number => Math.floor(period / 2);

function assignPeriod(trial: Trial, period: number, hash: Hash): Assignment {
  const isFirst = period % 2 === 0;
  const isTurned = pointOf(hash(`${trial.salt}\nperiods\n${pairOf(period)}`)) < 0.5;
  return { arm: trial.arms[isFirst === isTurned ? 1 : 0]!, period };
}

/** Returns the pathways in the order in which a player should try them: the assigned one, then the default, then the others. */
export function pathwayPriority(trial: Trial, assigned: TrialArm): string[] {
  const order = [assigned, defaultArm(trial), ...trial.arms].map(({ pathway }) => pathway);
  return [...new Set(order)];
}

/**
 * A steering manifest as DASH (ISO/IEC 23009-1, DASH-IF CTS) and HLS (draft-pantos-hls-rfc8216bis, Steering Manifest) define it
 * alike.
 */
export interface SteeringManifest {
  readonly VERSION: 1;
  /** Seconds after which the player asks again. */
  readonly TTL: number;
  readonly 'RELOAD-URI': string;
  readonly 'PATHWAY-PRIORITY': readonly string[];
}

/** Makes the answer to a player. After the kill switch, and for a session outside the trial (null), the default comes first. */
export const steeringManifest = (
  trial: Trial,
  { arm, reloadUri }: { readonly arm: TrialArm | null; readonly reloadUri: string },
): SteeringManifest => ({
  VERSION: 1,
  TTL: trial.ttlSeconds,
  'RELOAD-URI': reloadUri,
  'PATHWAY-PRIORITY': pathwayPriority(trial, arm ?? defaultArm(trial)),
});
