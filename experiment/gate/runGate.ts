import path from 'node:path';
import { print } from '../../node/print.ts';
import { comparedArms, type Compared } from './gateArms.ts';
import {
  keepState,
  rareOf,
  readState,
  refuseOtherSources,
  type GateState,
  planNextLook,
  playedPairs,
} from './gateState.ts';
import {
  contradictedSession,
  formatNotShown,
  readGatePairs,
  whyNotShown,
  type GatePairs,
} from './readGatePairs.ts';
import { formatReach, gateDesign, LOOK_MS, type GateDesign } from '../design/gateDesign.ts';
import { usualGate, type Gate } from '../design/gateFile.ts';
import { lowLatencyFaults } from '../design/lowLatency.ts';
import { gateCampaign, readGate } from '../design/readGate.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { gateVerdict, type GateLook, type GateResult } from '../verdict/gateVerdict.ts';
import { pairsOf } from '../runner/askedSessions.ts';
import { keepPlan } from '../runner/keepPlan.ts';
import { labPlan } from '../runner/instrumentedPlan.ts';
import { known } from '../resolve/campaignFiles.ts';
import { resolve, withSessions, type Resolved } from '../resolve/resolve.ts';
import { refuseFarStreams, refuseOrigin } from '../runner/refusals.ts';
import { keepRegistration } from '../runner/registration.ts';
import { prepare, type Prepared } from '../runner/prepare.ts';
import { playSessions } from '../runner/playSessions.ts';
import { findPages, hashOfOwnPage } from '../resolve/pages/pages.ts';
import { whileHolding } from '../session/lock/whileHolding.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { sweepLinks } from '../../lab/link/sweepLinks.ts';
import { EXIT, exitCodeOf, usageError } from '../../node/exitCodes.ts';
import { readerOnce, readText, timeStamp } from '../../node/files.ts';
import { formatDuration } from '../design/campaignDuration.ts';
import { valueOf } from '../../src/shared/result.ts';

/** What `pitwall gate` was asked for. */
interface GateOptions {
  /** Rules, rule files, weights files, builds of dash.js or pages. */
  readonly base: string;
  readonly next: string;
  /** The gate file; absent: the usual gate. */
  readonly file?: string;
  /** What the file says, read before and perhaps changed; absent: it is read. Paths in it are relative to the file. */
  readonly gate?: Gate;
  /** Instead of that of the file. */
  readonly minutes?: number;
  /** Absent: `runs/gate-<time>`. */
  readonly out?: string;
  readonly workers: number;
  /** A file of certificates in PEM that browsers and probes trust beside the public ones. */
  readonly trust?: string;
  readonly root: string;
}

/** A gate that has its verdict. */
export interface GateOutcome extends GateResult, GatePairs {
  readonly base: string;
  readonly next: string;
  readonly gate: Gate;
  readonly plan: CampaignPlan;
  readonly outDir: string;
  readonly looks: readonly GateLook[];
  readonly elapsedMs: number;
}

/** A gate that ended without a verdict, by the exit code of the run. */
export interface GateEnd {
  readonly code: number;
}

/**
 * Plays BASE and NEW in pairs, look by look, until one look shows that NEW is worse, or that it is not, or the budget is used
 * up. A folder in which a gate was interrupted is continued; one that has its verdict is only judged again.
 *
 * @throws Error in one sentence about a gate that cannot be played
 */
export async function runGate(options: GateOptions): Promise<GateOutcome | GateEnd> {
  const file = options.file ?? 'usual gate';
  const gate = await readGateOf(options);
  const read = readerOnce();
  const compared = await comparedArms(options, gate, path.dirname(file), read);
  // Before all else that can be wrong: these are of the command line, and not of the file.
  const pages = await findPages(compared.arms.pages ?? [], path.dirname(file)).catch((error: Error) => {
    throw exitCodeOf(error) === EXIT.failed ? usageError(error.message) : error;
  });
  const round = gateCampaign(gate, compared.arms, 1);
  refuseCampaign(round, file);
  const inputs = await resolve(round, file, { read, pages });
  const design = designOf({ gate, plan: withSessions(inputs).plan, file }, options);
  const { rules } = inputs.plan.campaign;
  const resolved = withSessions(inputs, { ...gateCampaign(gate, compared.arms, design.rounds), rules });
  const plan = labPlan(resolved.plan);
  const outDir = path.resolve(options.out ?? path.join('runs', `gate-${timeStamp()}`));
  print(formatBegin(options, gate, design));
  for (const line of formatReach(gate, design, options.workers)) print(line);
  const run: Run = { ...options, ...resolved, plan, gate, compared, design, outDir };
  let outcome: GateOutcome | null = null;
  const code = await whileHolding(outDir, undefined, async () => {
    const ended = await playLooks(run);
    if ('code' in ended) return ended.code;
    outcome = ended;
    return EXIT.done;
  });
  return outcome ?? { code };
}

interface Run extends Omit<GateOptions, 'file' | 'gate'>, Resolved {
  readonly gate: Gate;
  readonly compared: Compared;
  readonly design: GateDesign;
  readonly outDir: string;
  /** What sessions play, for all looks the same; absent before it is made, and in a gate that is over. */
  readonly prepared?: Prepared;
}

/** A run whose clock has started. */
interface TimedRun extends Run {
  /** Time of the gate so far, over all its runs. */
  clock(): number;
}

async function readGateOf({ gate: given, file, minutes }: GateOptions): Promise<Gate> {
  const gate =
    given ??
    (file === undefined ? usualGate : valueOf(readGate(await readText(file), { name: file, known })));
  return minutes === undefined ? gate : { ...gate, minutes };
}

/** @throws Error in one sentence about a campaign that this machine cannot play as a gate */
function refuseCampaign(campaign: CampaignFile, file: string): void {
  const [lowLatency] = lowLatencyFaults(campaign);
  if (lowLatency !== undefined) throw usageError(`${file}: ${lowLatency}`);
  refuseFarStreams(campaign, file);
  refuseOrigin(campaign, file);
  const missing = campaign.profiles.length > 0 ? linkMissing() : null;
  if (missing !== null)
    throw new Error(
      `${file}: /profiles: ${missing}. Without emulated links ("profiles": [] in a gate file) no network limits a session, so a gate shows only faults that loopback shows.`,
    );
}

/** `plan` has one round. @throws Error in one sentence about a gate that its budget does not allow */
function designOf(
  { gate, plan, file }: Pick<Run, 'gate' | 'plan' | 'file'>,
  { workers, minutes, file: given }: Pick<GateOptions, 'workers' | 'minutes' | 'file'>,
): GateDesign {
  const design = gateDesign(gate, plan, workers);
  if (!design.ok) {
    const sentence = `${file}: ${design.error}`;
    throw given !== undefined && minutes === undefined ? new Error(sentence) : usageError(sentence);
  }
  return design.value;
}

async function playLooks(given: Run): Promise<GateOutcome | GateEnd> {
  if (given.plan.networks.length > 0) await sweepLinks();
  keepPlan(given.outDir, given.plan);
  keepRegistration(given, {});
  let state = readState(given.outDir, given.gate, hashOfOwnPage(given.root));
  // Now: what is played from here on is of this page.
  keepState(given.outDir, state);
  // Before the clock starts: a machine that builds slowly has the same budget for sessions.
  const ready = state.isOver ? given : { ...given, prepared: await prepare(given, { ...given, print }) };
  const clock = startClock(state.elapsedMs);
  const run: TimedRun = { ...ready, clock };
  /** Time that was used counts, also where a run is interrupted. */
  const ended = (code: number): GateEnd => {
    if (code !== EXIT.noSpace) keepState(run.outDir, { ...state, elapsedMs: clock() });
    return { code };
  };
  const budgetMs = run.gate.minutes * 60_000 - LOOK_MS;
  const untilUnixMs = Date.now() + budgetMs - clock();
  const trialCode = state.isOver || state.looks.length > 0 ? null : await playTrial(run, untilUnixMs);
  if (trialCode !== null) return ended(trialCode);
  while (!state.isOver) {
    const next = planNextLook(run, { looks: state.looks, played: playedPairs(run, state) }, clock());
    // Whoever edits a rule meanwhile would have pairs of two versions in one gate.
    refuseOtherSources(run.outDir, state, hashOfOwnPage(run.root));
    const code = await playBetween(run, { before: state.looks.at(-1), next, untilUnixMs });
    if (code !== null) return ended(code);
    // Repeats may use up the time of pairs that then were not begun: it is the last look, with what there is.
    const isCut = isLookCut(run, next, clock() - budgetMs);
    const looks = [...state.looks, { pairs: next.pairs, share: isCut ? 1 : next.share }];
    state = lookAt(run, { ...state, looks, elapsedMs: clock() });
    keepState(run.outDir, state);
  }
  return outcomeOf(run, state);
}

/** What a look has more than the one before it. */
async function playBetween(
  run: TimedRun,
  { before, next, untilUnixMs }: { before: GateLook | undefined; next: GateLook; untilUnixMs: number },
): Promise<number | null> {
  const from = before?.pairs ?? 0;
  return next.pairs > from ? endCodeOf(await play(run, { from, to: next.pairs, untilUnixMs })) : null;
}

/** Whether a pair of a look was not begun, because no time was left for it. */
const isLookCut = (run: Run, next: GateLook, overMs: number): boolean =>
  overMs + run.design.pairMs > 0 && playedPairs(run, { looks: [] }) < next.pairs;

/** Time since the start, with that of earlier runs. */
const startClock = (beforeMs: number): (() => number) => {
  const startedMs = performance.now();
  return () => beforeMs + performance.now() - startedMs;
};

/**
 * Plays some pairs of a plan, as far as they have no logs. Those that a look has counted stay as they are: a look is the same
 * whenever it is computed again. What plays when the budget is used up is cut off: a page that hangs would hold the gate for
 * hours. Resolves to the exit code of the run. @throws Error in one sentence where a page's log is not to be believed
 */
async function play(
  run: TimedRun,
  { from, to, untilUnixMs }: { readonly from: number; readonly to: number; readonly untilUnixMs: number },
): Promise<number> {
  const names = new Set(pairsOf(run.plan).slice(from, to));
  const sessions = run.plan.sessions.filter(({ design }) => names.has(design.pair));
  const inPair = run.plan.sessions.length / pairsOf(run.plan).length;
  const budget = { untilUnixMs, sessionMs: run.design.pairMs / inPair };
  // 0 would be no limit.
  const limitMs = Math.max(1, run.gate.minutes * 60_000 - run.clock());
  const { plan, outDir } = run;
  const toPlay = { plan, outDir, sessions, part: undefined, prepared: run.prepared! };
  const code = await playSessions({ ...run, limitMs, budget }, toPlay);
  const sentence = endCodeOf(code) === null ? contradictedSession(run) : null;
  if (sentence !== null) throw new Error(`${sentence} This gate has no verdict.`);
  return code;
}

/** Codes after which nothing more can be played; a session that failed or showed nothing is a result like any other. */
const endCodeOf = (code: number): number | null =>
  code === EXIT.done || code === EXIT.failed || code === EXIT.notShown ? null : code;

/** The first pairs, one for each worker: whoever does not play at all is found before the time of a look has passed. */
async function playTrial(run: TimedRun, untilUnixMs: number): Promise<number | null> {
  const code = endCodeOf(await play(run, { from: 0, to: run.workers, untilUnixMs }));
  if (code !== null) return code;
  for (const [side, text] of [['BASE', run.base] as const, ['NEW', run.next] as const]) {
    const why = whyNotShown(run, {
      isOfSide: (session) => run.compared.isBase(session) === (side === 'BASE'),
    });
    // A session of NEW that shows nothing, though that of BASE did, is a result. One that the lab could not play is none.
    if (why !== null && (side === 'BASE' || why.isFailure))
      throw new Error(formatNotShown(`${side} (${text})`, why));
  }
  return null;
}

/** The state after its newest look. */
function lookAt(run: Run, state: GateState): GateState {
  const { looks, elapsedMs } = state;
  const last = looks.at(-1)!;
  const { pairs, heavy } = readGatePairs(run);
  const { verdict, judgements } = gateVerdict(run.gate, pairs, { looks, heavy, isOver: last.share === 1 });
  const open = judgements.filter(({ state }) => state === 'open');
  const never = judgements.filter(
    ({ metric, pairs, onlyBase, onlyNext }) => metric !== null && pairs + onlyBase + onlyNext === 0,
  );
  const isFutile = verdict === 'open' && pairs.some(({ length }) => length > 0) && never.length > 0;
  print(
    `look ${looks.length} after ${last.pairs} pairs, ${formatDuration(elapsedMs)}: ${verdict === 'open' ? `${open.length} of ${judgements.length} still open` : verdict}`,
  );
  if (isFutile)
    print(
      `no session has a value of ${never.map(({ metric }) => metric!.label).join(', ')}: more pairs would not tell`,
    );
  return { ...state, rare: rareOf(judgements), isOver: verdict !== 'open' || isFutile };
}

function outcomeOf(run: Run, { looks, elapsedMs }: GateState): GateOutcome {
  const { base, next, gate, plan, outDir } = run;
  const found = readGatePairs(run);
  const result = gateVerdict(gate, found.pairs, { looks, heavy: found.heavy, isOver: true });
  return { base, next, gate, plan, outDir, looks, elapsedMs, ...found, ...result };
}

function formatBegin({ base, next, workers }: GateOptions, { minutes }: Gate, design: GateDesign): string {
  const looks = design.looks.join(', ');
  return `${next} against ${base}: at most ${design.pairs} pairs, looks after ${looks}; ${minutes} min, ${workers} at once`;
}
