import { hexOf } from './sha256.ts';

/** SHA-256 of a text: 32 bytes. Node has one, a page uses that of `sha256.ts`. */
export type Hash = (text: string) => Uint8Array;

/** Pathway of a trial, and the share of what is drawn that receives it, 0 to 1. */
export interface SharedArm {
  readonly pathway: string;
  readonly share: number;
}

/** What is drawn: each session, each viewer, or periods of time in which all sessions have one arm. */
export type DrawUnit =
  | { readonly kind: 'session' | 'viewer' }
  | { readonly kind: 'switchback'; readonly periodMinutes: number; readonly washoutMinutes: number };

/** All that the arm of a session follows from. It is no secret. */
export interface ArmDraw<Arm extends SharedArm = SharedArm> {
  /** `drawKeyOf` the salt of the trial. */
  readonly key: string;
  readonly unit: DrawUnit;
  readonly arms: readonly Arm[];
}

/** What a page knows of a trial; `pitwall trial serve` prints it. */
export interface PageTrial extends ArmDraw<SharedArm & { readonly baseUrl: string }> {
  readonly name: string;
}

/** Who asks, and when the session began. */
export interface Asked {
  readonly session: string;
  /** null where nobody named the viewer. */
  readonly viewer: string | null;
  /** Unix time at which the session began, ms. */
  readonly beganMs: number;
}

export interface Assignment<Arm extends SharedArm = SharedArm> {
  readonly arm: Arm;
  /** Index of the switchback period, counted from 1970; null for other units. */
  readonly period: number | null;
}

/**
 * Returns the key that arms are drawn with, 64 hexadecimal digits. A page may have it: the salt, with which stored ids could be
 * found by trying, does not follow from it.
 */
export const drawKeyOf = (salt: string, hash: Hash): string => hexOf(hash(`${salt}\ndraw`));

/** 52 bits of a hash as a number in [0, 1). */
export function pointOf(digest: Uint8Array): number {
  let point = 0;
  for (let index = 0; index < 6; index++) point = point * 256 + digest[index]!;
  return (point * 16 + (digest[6]! >> 4)) / 2 ** 52;
}

/** Returns the arm at a point of [0, 1), by shares in their order. */
export function armAt<Arm extends SharedArm>(arms: readonly Arm[], point: number): Arm {
  let end = 0;
  for (const arm of arms) {
    end += arm.share;
    if (point < end) return arm;
  }
  return arms.at(-1)!;
}

/**
 * Assigns an arm: the same for the same key and id, at any time, on any server and in any page. null where the unit is the viewer
 * and nobody named one: such a session is no part of the trial.
 */
export function assign<Arm extends SharedArm>(
  draw: ArmDraw<Arm>,
  { session, viewer, beganMs }: Asked,
  hash: Hash,
): Assignment<Arm> | null {
  const { unit, key, arms } = draw;
  if (unit.kind === 'switchback') return assignPeriod(draw, periodAt(draw, beganMs), hash);
  const id = unit.kind === 'viewer' ? viewer : session;
  if (id === null) return null;
  return { arm: armAt(arms, pointOf(hash(`${key}\n${unit.kind}\n${id}`))), period: null };
}

/** Returns the index of the period at a time; 0 for units without periods. */
export const periodAt = ({ unit }: Pick<ArmDraw, 'unit'>, atMs: number): number =>
  unit.kind === 'switchback' ? Math.floor(atMs / (unit.periodMinutes * 60_000)) : 0;

/** Tells whether a session began so soon after a switch that it is not counted. */
export const isInWashout = ({ unit }: Pick<ArmDraw, 'unit'>, atMs: number): boolean =>
  unit.kind === 'switchback' && atMs % (unit.periodMinutes * 60_000) < unit.washoutMinutes * 60_000;

/** Two neighbouring periods are a pair: each arm has one of them, in an order that is drawn. */
export const pairOf = (period: number): number => Math.floor(period / 2);

function assignPeriod<Arm extends SharedArm>(
  { key, arms }: ArmDraw<Arm>,
  period: number,
  hash: Hash,
): Assignment<Arm> {
  const isFirst = period % 2 === 0;
  const isTurned = pointOf(hash(`${key}\nperiods\n${pairOf(period)}`)) < 0.5;
  return { arm: arms[isFirst === isTurned ? 1 : 0]!, period };
}
