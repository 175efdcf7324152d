import { formatCount } from '../../src/shared/format.ts';
import { groupBy } from '../../src/shared/groupBy.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { commonOf } from '../factors/arms.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';

/** Pairs whose values show the machine instead of the network. */
interface FlaggedPairs {
  /** Flagged pairs by name, in the order of the alphabet, each with its flagged arms. */
  readonly flagged: ReadonlyMap<string, readonly FlaggedArm[]>;
  /** Number of pairs of which at least one session is finished. */
  readonly begun: number;
}

interface FlaggedArm {
  readonly arm: string;
  /** Flags, as `environment.machine.flags` has them; never empty. */
  readonly flags: readonly string[];
}

/**
 * Finds the pairs in which the machine was the bottleneck of at least one arm. They are left out as a whole: what is left of a
 * pair compares with nothing, and slow arms are flagged more often than others.
 *
 * @param flagsById `environment.machine.flags` of each finished session; empty for one that nobody watched
 */
export function flaggedPairs(
  sessions: readonly Pick<PlannedSession, 'id' | 'design'>[],
  flagsById: ReadonlyMap<string, readonly string[]>,
): FlaggedPairs {
  const begun = new Map<string, FlaggedArm[]>();
  for (const { id, design } of sessions) {
    const flags = flagsById.get(id);
    if (!flags) continue;
    const arms = begun.get(design.pair) ?? [];
    begun.set(design.pair, flags.length > 0 ? [...arms, { arm: design.arm, flags }] : arms);
  }
  // The plan's order is shuffled; ours is by name, by code point: the same in every language.
  const flagged = [...begun].filter(([, arms]) => arms.length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
  const byArm = (a: FlaggedArm, b: FlaggedArm): number => (a.arm < b.arm ? -1 : 1);
  return {
    flagged: new Map(flagged.map(([pair, arms]) => [pair, arms.toSorted(byArm)])),
    begun: begun.size,
  };
}

type Linked = Pick<PlannedSession, 'link'>;
type Guarded = Pick<SessionLog['environment'], 'machine'>;

/** Returns what the guard says of a session over an emulated link: it is repeated, and left out where that does not help. */
export const invalidatingFlags = ({ link }: Linked, { machine }: Guarded): readonly string[] =>
  link === null ? [] : (machine?.flags ?? []);

/**
 * Says in one sentence that the machine was busy while sessions without an emulated link played, or returns null. They count,
 * because what serves them may be a program of this machine as well.
 */
export function formatBusy(
  sessions: readonly (Linked & Pick<PlannedSession, 'id' | 'design'>)[],
  found: ReadonlyMap<string, { readonly environment: Guarded }>,
): string | null {
  const arms = new Map<string, { played: number; busy: number }>();
  const flags = sessions.flatMap(({ id, link, design: { arm } }) => {
    const session = found.get(id);
    if (link !== null || !session) return [];
    const { played, busy } = arms.get(arm) ?? { played: 0, busy: 0 };
    const [flag] = session.environment.machine?.flags ?? [];
    arms.set(arm, { played: played + 1, busy: busy + (flag === undefined ? 0 : 1) });
    return flag === undefined ? [] : [flag];
  });
  if (flags.length === 0) return null;
  const counts = [...arms]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([arm, { played, busy }]) => `${busy} of ${played} of ${arm}`);
  return `The machine was busy in ${formatCount(flags.length, 'session')} (${counts.join(', ')}); they count, so a difference may be the machine's. The first of them: ${flags[0]!}`;
}

/** Place where a session was played. */
interface Placed {
  readonly environment: Pick<SessionLog['environment'], 'machine'>;
}

/**
 * Adds a flag to the sessions that are compared with each other and were played on several machines, as far as their logs tell:
 * they would compare machines.
 *
 * @param found finished sessions by id
 */
export function withSplitFlags<Session extends Placed & { readonly flags: readonly string[] }>(
  plan: Pick<CampaignPlan, 'sessions' | 'campaign'>,
  found: ReadonlyMap<string, Session>,
): ReadonlyMap<string, Session> {
  const flagged = new Map(found);
  for (const pair of comparedIn(plan)) {
    const played = pair.flatMap(({ id }) => {
      const session = found.get(id);
      return session ? [{ id, session }] : [];
    });
    if (!isSplit(played.map(({ session }) => session))) continue;
    for (const { id, session } of played) flagged.set(id, { ...session, flags: [...session.flags, SPLIT] });
  }
  return flagged;
}

export const isSplit = (played: readonly Placed[]): boolean =>
  new Set(played.flatMap(({ environment }) => environment.machine?.id ?? [])).size > 1;

export const SPLIT = 'The sessions of this pair were played on more than one machine.';

/** Returns the sessions of each pair that are compared with each other. */
export function comparedIn({
  sessions,
  campaign,
}: Pick<CampaignPlan, 'sessions' | 'campaign'>): PlannedSession[][] {
  return [
    ...groupBy(sessions, (session) => `${session.design.pair}\n${commonOf(campaign, session)}`).values(),
  ];
}

/** Maximum number of lines beneath a campaign's table; more would bury it. */
const MAX_PAIRS = 10;

/** Says how many pairs are left out of a table, and why. An empty text where there are none. */
export function formatFlagged({ flagged, begun }: FlaggedPairs, maxPairs = MAX_PAIRS): string {
  if (flagged.size === 0) return '';
  const pairs = [...flagged].slice(0, maxPairs).map(([pair, arms]) => {
    const [first, ...others] = arms;
    const more = others.length > 0 ? ` and ${others.length} more of its arms` : '';
    return `  ${pair}: ${first?.arm}${more}: ${first?.flags.join(' ')}`;
  });
  const rest = flagged.size > maxPairs ? [`  and ${flagged.size - maxPairs} more`] : [];
  const count = `${flagged.size} of ${formatCount(begun, 'pair')} left out`;
  return [`${count}: invalidated by host overload in`, ...pairs, ...rest].join('\n');
}
