import {
  assign,
  drawKeyOf,
  type Asked,
  type Assignment,
  type Hash,
  type PageTrial,
} from '../../src/shared/assignment.ts';
import type { Trial, TrialArm } from '../design/trialFile.ts';
import { defaultArm } from '../design/trialFile.ts';

/** Assigns an arm as `assign` does, with the key that follows from the salt. */
export const assignArm = (trial: Trial, asked: Asked, hash: Hash): Assignment<TrialArm> | null =>
  assign({ key: drawKeyOf(trial.salt, hash), unit: trial.unit, arms: trial.arms }, asked, hash);

/** Returns what a page may know of a trial: neither the salt nor what is expected. */
export const pageTrial = ({ name, salt, unit, arms }: Trial, hash: Hash): PageTrial => ({
  name,
  key: drawKeyOf(salt, hash),
  unit,
  arms: arms.map(({ pathway, share, baseUrl }) => ({ pathway, share, baseUrl })),
});

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
