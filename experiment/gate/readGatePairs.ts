import { existsSync } from 'node:fs';
import path from 'node:path';
import { groupBy } from '../../src/shared/groupBy.ts';
import type { Compared } from './gateArms.ts';
import { commonOf } from '../factors/arms.ts';
import type { Gate } from '../design/gateFile.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { flaggedPairs, formatFlagged } from '../verdict/flagged.ts';
import type { GatePair, GateSession, HeavySessions } from '../verdict/gateVerdict.ts';
import { formatScope } from '../verdict/scope.ts';
import { pairsOf } from '../runner/askedSessions.ts';
import { finishedSessions, type FinishedSessions } from '../runner/finishedSessions.ts';
import { readFailures, type FailedTry } from '../session/failureFile.ts';
import { findFailure, type FailureId } from '../design/failure.ts';
import { sessionFiles } from '../session/sessionFiles.ts';
import { logDirOf } from '../../node/logFiles.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';

/** The pairs of a gate as its folder has them. */
export interface GatePairs {
  /** Planned pairs, in the order of the plan; empty ones do not count. */
  readonly pairs: readonly GatePair[];
  /** Numbers of heavy sessions in each arm, by pair, in the order of `pairs`. */
  readonly heavy: readonly HeavySessions[];
  /** Number of pairs of which a session was played. */
  readonly begun: number;
  /** Number of pairs that are left out because the machine was the bottleneck. */
  readonly flagged: number;
  /** Number of pairs that are left out because the lab could not play a session of them. */
  readonly notPlayed: number;
  /** Lines that name the flagged pairs, as a campaign's table has them; empty where there are none. */
  readonly flaggedLines: string;
  /** Phrase on what was sampled. */
  readonly scope: string;
  /** Number of pairs that count, by network and content, of those that were begun. */
  readonly countedOn: ReadonlyMap<string, number>;
}

interface Folder {
  readonly plan: CampaignPlan;
  readonly outDir: string;
  readonly gate: Pick<Gate, 'metrics'>;
  readonly compared: Compared;
}

/** Maximum number of flagged pairs that are named: the verdict has the reason, and these are examples. */
const MAX_FLAGGED = 2;

/** Reads every log of a gate. */
export function readGatePairs({ plan, outDir, gate, compared }: Folder): GatePairs {
  const wanted = metrics.filter(({ id }) => gate.metrics.some(({ metric }) => metric === id));
  const finished = finishedSessions(plan, outDir, wanted);
  const flagged = flaggedPairs(plan.sessions, new Map([...finished].map(([id, { flags }]) => [id, flags])));
  const byPair = groupBy(plan.sessions, ({ design }) => design.pair);
  const known: Known = {
    plan,
    finished,
    compared,
    hasFailed: (session) => hasFailed(outDir, session),
    hasCrashed: (session) => triesOf(outDir, session).some(isOfPlayer),
  };
  const pairs = pairsOf(plan);
  const couples = pairs.map((pair) => (flagged.flagged.has(pair) ? [] : pairOf(byPair.get(pair)!, known)));
  return {
    pairs: couples,
    heavy: pairs.map((pair) => heavyOf(byPair.get(pair)!, { finished, compared, outDir })),
    notPlayed: pairs.filter(
      (pair, place) =>
        couples[place]!.length === 0 &&
        !flagged.flagged.has(pair) &&
        byPair.get(pair)!.some(({ id }) => !finished.has(id) && triesOf(outDir, { id }).length > 0),
    ).length,
    begun: flagged.begun,
    flagged: flagged.flagged.size,
    flaggedLines: formatFlagged(flagged, MAX_FLAGGED),
    countedOn: countedOn([...byPair.values()], couples, finished),
    scope: formatScope(playedPart(plan, flagged.begun), [...finished.values()]),
  };
}

function countedOn(
  pairs: readonly (readonly PlannedSession[])[],
  couples: readonly GatePair[],
  finished: FinishedSessions,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const contents = new Set(pairs.flat().map(({ content }) => content));
  for (const [place, sessions] of pairs.entries()) {
    if (!sessions.some(({ id }) => finished.has(id))) continue;
    const { link, content } = sessions[0]!;
    const name = [link?.network, ...(link && contents.size === 1 ? [] : [content])]
      .filter(Boolean)
      .join(', ');
    counts.set(name, (counts.get(name) ?? 0) + Math.sign(couples[place]!.length));
  }
  return counts;
}

/** Returns the plan as if it had only the rounds that were begun: a gate may end before the others. */
function playedPart(plan: CampaignPlan, begun: number): CampaignPlan {
  const { repeats } = plan.campaign;
  const perRound = pairsOf(plan).length / repeats;
  return { ...plan, campaign: { ...plan.campaign, repeats: Math.max(1, Math.ceil(begun / perRound)) } };
}

interface Known extends Pick<Folder, 'plan' | 'compared'> {
  readonly finished: FinishedSessions;
  /** Whether a session without a log may have failed because of what it was to play. */
  hasFailed(session: PlannedSession): boolean;
  /** Whether a try of a session may have failed because of what it was to play. */
  hasCrashed(session: PlannedSession): boolean;
}

const triesOf = (outDir: string, { id }: Pick<PlannedSession, 'id'>) =>
  readFailures(sessionFiles(logDirOf(path.resolve(outDir)), id).failures);

/** Returns whether a session without a log failed because of what it was to play: else a build that crashes would pass. */
function hasFailed(outDir: string, session: PlannedSession): boolean {
  const last = triesOf(outDir, session).at(-1);
  return last !== undefined && isOfPlayer(last);
}

const isOfPlayer = ({ failure }: Pick<FailedTry, 'failure'>): boolean =>
  findFailure(failure)?.mayBePlayer === true;

function heavyOf(
  sessions: readonly PlannedSession[],
  { finished, compared, outDir }: Pick<Known, 'finished' | 'compared'> & Pick<Folder, 'outDir'>,
): HeavySessions {
  const isHeavy = (session: PlannedSession): boolean =>
    (finished.get(session.id)?.flags.length ?? 0) > 0 ||
    triesOf(outDir, session).some(({ failure }) => findFailure(failure)?.mayBeLoad === true);
  const heavy = sessions.filter(isHeavy);
  const ofBase = heavy.filter(compared.isBase).length;
  return [ofBase, heavy.length - ofBase];
}

const NOT_PLAYED: GateSession = { played: false, values: new Map() };

/**
 * Returns the sessions of a pair that are compared with each other, two by two. Empty where one is missing, unless what it was
 * to play may be the reason. A session that an error ended has not played either.
 */
function pairOf(
  sessions: readonly PlannedSession[],
  { plan, finished, compared, hasFailed, hasCrashed }: Known,
): GatePair {
  const couples = sessions.filter(compared.isBase).map((base) => {
    const common = commonOf(plan.campaign, base);
    const next = sessions.find((each) => !compared.isBase(each) && commonOf(plan.campaign, each) === common);
    return [base, next].map((session) => {
      const found = session && finished.get(session.id);
      if (!found) return session && hasFailed(session) ? NOT_PLAYED : null;
      const values = new Map([...found.figures].map(([id, { value }]) => [id, value]));
      const inexact = new Map(
        [...found.figures].filter(([, each]) => each.lowerBound || each.error !== undefined),
      );
      const played = found.whyNotPlayed === null && !found.gaveUp;
      return { played, values, inexact, ...(hasCrashed(session) && { crashed: true }) };
    });
  });
  return couples.every((both) => both.every((session) => session !== null))
    ? (couples as unknown as GatePair)
    : [];
}

/**
 * Names a session that has no log because its page wrote one that the origin's log contradicts, in a sentence; null where there
 * is none. Nobody knows then what else its logs say.
 */
export function contradictedSession({
  plan,
  outDir,
  compared,
}: Pick<Folder, 'plan' | 'outDir' | 'compared'>): string | null {
  const logDir = logDirOf(path.resolve(outDir));
  for (const session of plan.sessions) {
    const last = triesOf(outDir, session).at(-1);
    if (last?.failure !== CONTRADICTED || existsSync(sessionFiles(logDir, session.id).log)) continue;
    const side = compared.isBase(session) ? 'BASE' : 'NEW';
    return `${side}: the log of ${session.id} is contradicted by the origin's log: ${last.message.split('\n')[0]}.`;
  }
  return null;
}

const CONTRADICTED: FailureId = 'log-contradicted';

interface NotShown {
  readonly sentence: string;
  /** Whether the lab failed to play the side. */
  readonly isFailure: boolean;
}

/** Says whose fault it is that a side was never shown. A failure of the lab is nothing that a build does. */
export const formatNotShown = (side: string, { sentence, isFailure }: NotShown): string =>
  isFailure ? `The lab could not play ${side}: ${sentence}` : `${side} does not play: ${sentence}`;

/**
 * Says why none of the sessions of one side has shown a frame, and whether the lab failed to play them (a page that crashes is
 * the player's failure as well as the lab's, and no such failure); null where a session has shown one.
 */
export function whyNotShown(
  { plan, outDir }: Pick<Folder, 'plan' | 'outDir'>,
  { isOfSide }: { isOfSide(session: PlannedSession): boolean },
): NotShown | null {
  const finished = finishedSessions(plan, outDir, []);
  const own = plan.sessions.filter(isOfSide);
  const reasons = own.flatMap(({ id }) => {
    const found = finished.get(id);
    return found ? [found.whyNotPlayed] : [];
  });
  if (reasons.includes(null)) return null;
  if (reasons.length > 0) return { sentence: reasons[0]!, isFailure: false };
  const last = own
    .flatMap((session) => triesOf(outDir, session))
    .findLast(({ failure }) => failure !== 'pair-repeated');
  return {
    sentence: last?.message.split('\n')[0] ?? 'no session of it left a log.',
    isFailure: last === undefined || !isOfPlayer(last),
  };
}
