import { type Alignment, alignedTime } from '../../analysis/comparison/alignedTime.ts';
import { pairsOf } from '../../analysis/comparison/pairs.ts';
import type { Range } from '../../charts/range.ts';
import { type CompareLink, writeCompareLink } from './compareLink.ts';
import type { LogSource } from './logSources.ts';
import type { OpenSession } from './openLogs.ts';
import { anyPlays, type Comparison } from '../../charts/compare/compareLane.ts';
import { sessionLooks } from '../../charts/compare/sessionLooks.ts';

/** What is open and how it is shown. */
export interface CompareState {
  sessions: readonly OpenSession[];
  /** Places among the sessions. */
  reference: number;
  chosen: number | null;
  alignment: Alignment;
  /** null: all. */
  range: Range | null;
  /** Addresses of list files, as long as they name just what is open. */
  lists: readonly string[];
}

export const emptyState = (): CompareState => ({
  sessions: [],
  reference: 0,
  chosen: null,
  alignment: 'playback',
  range: null,
  lists: [],
});

/** The query of a link that opens the same. Files of the visitor cannot be in it. */
export const linkOf = ({ sessions, lists, reference, alignment, range }: CompareState): string =>
  writeCompareLink({
    logs: lists.length > 0 ? [] : sessions.flatMap(({ source }) => source.address ?? []),
    reference: String.fromCharCode(65 + reference),
    lists,
    alignment,
    range,
  });

/**
 * How a link wants its sessions shown. Its letters count all sources, also those that were not opened. A list stands for its
 * logs only where there are no others, and where each has the letter of its session.
 */
export function asLinked(
  { alignment, range, reference, lists, logs }: CompareLink,
  { sources, sessions }: { sources: readonly LogSource[]; sessions: readonly OpenSession[] },
): Partial<CompareState> {
  const named = sources[(reference ?? 'A').charCodeAt(0) - 65];
  const place = sessions.findIndex(({ source }) => source === named);
  const isListed = logs.length === 0 && sessions.every(({ source }, at) => source === sources[at]);
  return { alignment, range, reference: Math.max(0, place), lists: isListed ? lists : [] };
}

/** Without one session: what was the reference stays it, if it is still there. */
export function withoutSession(state: CompareState, place: number): CompareState {
  const { sessions, reference } = state;
  return {
    ...state,
    sessions: sessions.filter((_, index) => index !== place),
    reference: reference > place ? reference - 1 : reference === place ? 0 : reference,
    chosen: null,
    lists: [],
  };
}

/** Open sessions as the charts take them; letters go by their order. Transfers alone have no playback time. Null without any. */
export function comparisonOf(
  sessions: readonly OpenSession[],
  { reference, chosen, alignment }: { reference: number; chosen: number | null; alignment: Alignment },
): Comparison | null {
  const looks = sessionLooks(sessions.map(({ log: { header } }) => header.environment));
  const shown = anyPlays({ sessions: sessions.map(({ log }) => log) }) ? alignment : 'wall';
  const compared = sessions.map(({ log: { series } }, place) => ({
    series,
    time: alignedTime(series, shown),
    look: looks[place]!,
  }));
  const first = compared[reference] ?? compared[0];
  if (!first) return null;
  const pairs = pairsOf(
    sessions.map(({ log }) => log.header),
    compared.indexOf(first),
  );
  return {
    sessions: compared,
    reference: first,
    chosen: chosen === null ? null : (compared[chosen] ?? null),
    pairs: pairs.map(({ name, places, reference: place }) => ({
      name,
      sessions: places.map((each) => compared[each]!),
      reference: compared[place]!,
    })),
  };
}
