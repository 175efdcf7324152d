import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Gate } from '../design/gateFile.ts';
import type { GateJudgement, GateLook } from '../verdict/gateVerdict.ts';
import type { RareBound } from '../verdict/rareBound.ts';
import { writeAtomically } from '../../node/files.ts';
import { isObject } from '../../src/shared/jsonObject.ts';
import { LOOK_MS, type GateDesign } from '../design/gateDesign.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { pairsOf } from '../runner/askedSessions.ts';
import { sessionFiles } from '../session/sessionFiles.ts';
import { logDirOf } from '../../node/logFiles.ts';

/** What a gate has looked at so far: with it and the logs, its verdict is computed again. */
export interface GateState {
  readonly schema: typeof STATE_SCHEMA;
  readonly looks: readonly GateLook[];
  /** Time spent, over all its runs. */
  readonly elapsedMs: number;
  /** Whether it has a verdict: then it is not continued. */
  readonly isOver: boolean;
  /** What the last look rules out of rare faults, by metric, or "plays"; absent in folders of older versions. */
  readonly rare?: Readonly<Record<string, RareBound>>;
  /** How it judges; absent in folders of older versions. */
  readonly judges?: Judges;
  /** Hash of the sources of page and rules; absent in folders of older versions. */
  readonly sourcesSha256?: string;
}

/** What a gate judges by: whoever changes it after a look picks the verdict. */
type Judges = Pick<Gate, 'metrics' | 'alpha' | 'rareShare' | 'looks' | 'minutes'>;

export const judgesOf = ({ metrics, alpha, rareShare, looks, minutes }: Gate): Judges => ({
  metrics,
  alpha,
  rareShare,
  looks,
  minutes,
});

/** What a look rules out of rare faults, for the state. */
export const rareOf = (judgements: readonly GateJudgement[]): Readonly<Record<string, RareBound>> =>
  Object.fromEntries(
    judgements.flatMap(({ about, metric, rare }) => (rare === null ? [] : [[metric?.id ?? about, rare]])),
  );

export const STATE_SCHEMA = 'pitwall-gate-state/1';

const BEGUN: GateState = { schema: STATE_SCHEMA, looks: [], elapsedMs: 0, isOver: false };

const fileOf = (outDir: string): string => path.join(outDir, 'gate.json');

/**
 * The state of a folder; that of a gate that has not begun where there is none. @throws Error in one sentence, also where the
 * folder's gate judges by something else, or its page and rules were others: the plan has no hash of those of a checkout
 */
export function readState(outDir: string, gate: Gate, sourcesSha256: string): GateState {
  const state = stateIn(outDir);
  const judges = judgesOf(gate);
  if (state.judges && JSON.stringify(state.judges) !== JSON.stringify(judges))
    throw new Error(
      `${fileOf(outDir)}: This gate was begun with other metrics, margins, alpha, rare share, looks or minutes. Name another folder with --out.`,
    );
  refuseOtherSources(outDir, state, sourcesSha256);
  return { ...state, judges, sourcesSha256 };
}

/** @throws Error in one sentence where page and rules are others than those that the gate was begun with: also while it plays */
export function refuseOtherSources(
  outDir: string,
  state: Pick<GateState, 'sourcesSha256'>,
  sourcesSha256: string,
): void {
  if (state.sourcesSha256 !== undefined && state.sourcesSha256 !== sourcesSha256)
    throw new Error(
      `${fileOf(outDir)}: This gate was played with another page of Pitwall, of which its rules are a part. Name another folder with --out.`,
    );
}

function stateIn(outDir: string): GateState {
  const file = fileOf(outDir);
  if (!existsSync(file)) return BEGUN;
  try {
    const state: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isObject(state) && state['schema'] === STATE_SCHEMA) return state as unknown as GateState;
  } catch {
    // As one of another version.
  }
  throw new Error(`${file}: It is not the state of a gate of this version. Name another folder with --out.`);
}

export const keepState = (outDir: string, state: GateState): void =>
  writeAtomically(fileOf(outDir), `${JSON.stringify(state, null, 1)}\n`);

interface Planned {
  readonly gate: Pick<Gate, 'minutes'>;
  readonly design: GateDesign;
  readonly workers: number;
}

/** What a gate has so far. */
interface Played extends Pick<GateState, 'looks'> {
  /** Pairs from the first on that have all their logs: more than the last look had where a run was interrupted after it. */
  readonly played: number;
}

/** How many pairs from the first on have all their logs, at least those of the last look. */
export function playedPairs(
  { plan, outDir }: { readonly plan: CampaignPlan; readonly outDir: string },
  { looks }: Pick<GateState, 'looks'>,
): number {
  const logDir = logDirOf(outDir);
  const open = new Set(
    plan.sessions
      .filter(({ id }) => !existsSync(sessionFiles(logDir, id).log))
      .map(({ design }) => design.pair),
  );
  const pairs = pairsOf(plan);
  const firstOpen = pairs.findIndex((pair, place) => place >= donePairs(looks) && open.has(pair));
  return firstOpen === -1 ? pairs.length : firstOpen;
}

const donePairs = (looks: readonly GateLook[]): number => looks.at(-1)?.pairs ?? 0;

/**
 * The next look of a gate, at `nowMs` of its time. As designed while there is time; else the last look, with as many pairs as
 * still fit, perhaps none more. What a pair takes is the longer of what was planned and what it took so far. The end depends
 * on the clock and not on what was measured, so that the last look may spend what is left of alpha.
 */
export function planNextLook(
  { gate, design, workers }: Planned,
  { looks, played }: Played,
  nowMs: number,
): GateLook {
  const done = donePairs(looks);
  const designed = design.looks.find((pairs) => pairs > done) ?? done;
  const leftMs = gate.minutes * 60_000 - nowMs - LOOK_MS;
  const slots = done === 0 ? 0 : nowMs / Math.ceil(played / workers);
  const fitting = played + Math.max(0, Math.floor(leftMs / Math.max(design.pairMs, slots))) * workers;
  // The first look is what the budget was checked for.
  if (done === 0 || designed <= fitting) return { pairs: designed, share: shareOf(designed, design) };
  return { pairs: fitting, share: 1 };
}

const shareOf = (pairs: number, design: GateDesign): number => Math.min(1, pairs / design.pairs);
