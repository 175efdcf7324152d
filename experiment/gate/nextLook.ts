import { existsSync } from 'node:fs';
import type { GateState } from './gateState.ts';
import { LOOK_MS, type GateDesign } from '../design/gateDesign.ts';
import type { Gate } from '../design/gateFile.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { pairsOf } from '../runner/askedSessions.ts';
import { sessionFiles } from '../session/sessionFiles.ts';
import type { GateLook } from '../verdict/gateVerdict.ts';
import { logDirOf } from '../../node/logFiles.ts';

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
