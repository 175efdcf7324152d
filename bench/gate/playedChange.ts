import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Change } from './changes.ts';
import { countedPairs, formatChange } from '../../experiment/gate/formatGate.ts';
import type { GateOutcome } from '../../experiment/gate/runGate.ts';
import type { Gate } from '../../experiment/design/gateFile.ts';
import type { GateJudgement, GateState } from '../../experiment/verdict/gateVerdict.ts';
import { writeAtomically } from '../../node/files.ts';
import { isObject } from '../../src/shared/jsonObject.ts';

export const PLAYED_SCHEMA = 'pitwall-gate-history/1';

/** What a gate was asked: with anything else in it, it is another gate. */
export interface AskedGate {
  /** The version of a release, or the hash of a file. */
  readonly base: string;
  readonly next: string;
  readonly gate: Gate;
  readonly workers: number;
}

/** The result of one judgement of a gate. */
export interface PlayedJudgement {
  /** Id of the metric; `plays` for whether sessions play at all. */
  readonly metric: string;
  readonly label: string;
  readonly state: GateState;
  readonly pairs: number;
  readonly base: number | null;
  readonly next: number | null;
  /** NEW divided by BASE, the mean over pairs where the margin is in %, else of the means; null where BASE is 0 or unknown. */
  readonly ratio: number | null;
  /** The change in the words of the gate: `−25.5 %`, `+0.80 percentage points`. */
  readonly change: string;
  readonly margin: string | null;
}

/** A gate over one change that has its verdict. */
export interface PlayedChange {
  readonly schema: typeof PLAYED_SCHEMA;
  readonly id: string;
  readonly asked: AskedGate;
  readonly verdict: 'no-regression' | 'regression' | 'cannot-tell';
  readonly minutes: number;
  readonly looks: number;
  /** Pairs that count. */
  readonly pairs: number;
  /** Pairs that are left out because the machine was overloaded. */
  readonly leftOut: number;
  readonly judgements: readonly PlayedJudgement[];
}

/** What a gate over a change is asked. @throws Error if a build is missing */
export const askedOf = (
  { base, next }: Pick<Change, 'base' | 'next'>,
  setting: Pick<AskedGate, 'gate' | 'workers'>,
): AskedGate => ({ base: identityOf(base), next: identityOf(next), ...setting });

/** A version is the same everywhere; a file is what is in it. */
const identityOf = (build: string): string =>
  build.startsWith('dashjs@')
    ? build
    : `sha256:${createHash('sha256').update(readFileSync(build)).digest('hex')}`;

const fileOf = (folder: string, id: string): string => path.join(folder, `${id}.json`);

/**
 * The result of a gate that was played before; null where there is none.
 *
 * @throws Error in one sentence if the file has the result of another gate, or is no result
 */
export function readPlayed(folder: string, id: string, asked: AskedGate): PlayedChange | null {
  const file = fileOf(folder, id);
  if (!existsSync(file)) return null;
  const played = parsePlayed(readFileSync(file, 'utf8'));
  if (played === null) throw new Error(`${file}: It is no result of a gate of this version; remove it.`);
  if (JSON.stringify(played.asked) === JSON.stringify(asked)) return played;
  throw new Error(
    `${file}: It is the result of another gate (other builds, seed, budget or --workers). Name another folder with --out, or remove this file and the folder ${id} of its sessions.`,
  );
}

function parsePlayed(text: string): PlayedChange | null {
  try {
    const played: unknown = JSON.parse(text);
    return isObject(played) && played['schema'] === PLAYED_SCHEMA
      ? (played as unknown as PlayedChange)
      : null;
  } catch {
    return null;
  }
}

export const keepPlayed = (folder: string, played: PlayedChange): void =>
  writeAtomically(fileOf(folder, played.id), `${JSON.stringify(played, null, 1)}\n`);

const LABELS = {
  plays: 'sessions that play',
  load: 'load of the machine',
  metric: '',
} as const satisfies Record<GateJudgement['about'], string>;

/** The result of a gate, without its sessions. */
export function playedOf(id: string, asked: AskedGate, outcome: GateOutcome): PlayedChange {
  const { verdict, judgements, looks, elapsedMs, flagged } = outcome;
  return {
    schema: PLAYED_SCHEMA,
    id,
    asked,
    verdict: verdict === 'open' ? 'cannot-tell' : verdict,
    minutes: elapsedMs / 60_000,
    looks: looks.length,
    pairs: countedPairs(judgements),
    leftOut: flagged,
    judgements: judgements.map((judgement) => {
      const { about, metric, state, pairs, base, next, margin } = judgement;
      return {
        metric: metric?.id ?? about,
        label: metric?.label ?? LABELS[about],
        state,
        pairs,
        base,
        next,
        margin,
        ratio: ratioOf(judgement),
        change: formatChange(judgement),
      };
    }),
  };
}

function ratioOf({ metric, isPercent, change, base, next }: GateJudgement): number | null {
  if (metric === null || change === null) return null;
  if (isPercent) return 1 + change / 100;
  return base === null || next === null || base === 0 ? null : next / base;
}

/**
 * Why the result of a gate is none: without a pair that counts, its verdict is about the machine. `folder` is that of its
 * sessions. null where a pair counts.
 */
export const whyNoResult = (
  { pairs, leftOut }: Pick<PlayedChange, 'pairs' | 'leftOut'>,
  folder: string,
): string | null =>
  pairs > 0
    ? null
    : `No pair counts, and ${leftOut} were left out because the machine was overloaded. Remove ${folder} and play it again.`;
