import { armsOf, type Arm } from '../../analysis/comparison/arms.ts';
import { type Alignment, alignedTime } from '../../analysis/comparison/alignedTime.ts';
import { pairsOf } from '../../analysis/comparison/pairs.ts';
import type { Range } from '../../charts/range.ts';
import { type CompareLink, writeCompareLink } from './compareLink.ts';
import type { LogSource } from './logSources.ts';
import type { OpenSession } from './openLogs.ts';
import { anyPlays, type ComparedSession, type Comparison } from '../../charts/compare/compareLane.ts';
import { MANY_SESSIONS } from '../../charts/compare/sessionLines.ts';
import { MAX_SESSIONS, type SessionLook, sessionLooks } from '../../charts/compare/sessionLooks.ts';

/** What is open and how it is shown. */
export interface CompareState {
  sessions: readonly OpenSession[];
  /** Places among the sessions. */
  reference: number;
  chosen: number | null;
  /** null: bands of arms where there are more sessions than lines can be distinguished. */
  view: CompareLink['view'];
  /** null: wall time for bands, because sessions of a campaign end there together, else playback time. */
  alignment: Alignment | null;
  /** null: all. */
  range: Range | null;
  /** Addresses of list files, as long as they name just what is open. */
  lists: readonly string[];
}

export const emptyState = (): CompareState => ({
  sessions: [],
  reference: 0,
  chosen: null,
  view: null,
  alignment: null,
  range: null,
  lists: [],
});

/** The query of a link that opens the same. Files of the visitor cannot be in it. */
export const linkOf = ({ sessions, lists, reference, view, alignment, range }: CompareState): string =>
  writeCompareLink({
    logs: lists.length > 0 ? [] : sessions.flatMap(({ source }) => source.address ?? []),
    reference: reference < MAX_SESSIONS ? String.fromCharCode(65 + reference) : null,
    lists,
    view,
    alignment,
    range,
  });

/**
 * How a link wants its sessions shown. Its letters count all sources, also those that were not opened. A list stands for its
 * logs only where there are no others, and where each has the letter of its session.
 */
export function asLinked(
  { view, alignment, range, reference, lists, logs }: CompareLink,
  { sources, sessions }: { sources: readonly LogSource[]; sessions: readonly OpenSession[] },
): Partial<CompareState> {
  const named = sources[(reference ?? 'A').charCodeAt(0) - 65];
  const place = sessions.findIndex(({ source }) => source === named);
  const isListed = logs.length === 0 && sessions.every(({ source }, at) => source === sources[at]);
  return { view, alignment, range, reference: Math.max(0, place), lists: isListed ? lists : [] };
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

/** The arms of the open sessions; none where there are no bands to draw. */
export function openArms(sessions: readonly OpenSession[]): Arm[] {
  if (!anyPlays({ sessions: sessions.map(({ log }) => log) })) return [];
  const arms = armsOf(sessions.map(({ log }) => log.header));
  return arms.length > MAX_SESSIONS ? [] : arms;
}

const shownArms = (sessions: readonly OpenSession[], { view }: Shown): Arm[] =>
  view === 'arms' || (view === null && sessions.length > MANY_SESSIONS) ? openArms(sessions) : [];

type Shown = Pick<CompareState, 'reference' | 'chosen' | 'view' | 'alignment'>;

/** Open sessions as the charts take them, all by arm or the first ones; letters go by their order. Transfers alone have no playback time. Null without any. */
export function comparisonOf(open: readonly OpenSession[], shown: Shown): Comparison | null {
  const { reference, chosen } = shown;
  const arms = shownArms(open, shown);
  const sessions = arms.length > 0 ? open : open.slice(0, MAX_SESSIONS);
  const looks = looksOf(sessions);
  const usual = arms.length > 0 ? 'wall' : 'playback';
  const alignment = anyPlays({ sessions: sessions.map(({ log }) => log) })
    ? (shown.alignment ?? usual)
    : 'wall';
  const headers = sessions.map(({ log }) => log.header);
  const place = sessions[reference] ? reference : 0;
  const pairs = pairsOf(headers, place);
  const armLooks = looksOf(arms.map(({ places }) => sessions[places[0]!]!));
  const lookOf = (at: number): SessionLook => {
    const look = armLooks[arms.findIndex(({ places }) => places.includes(at))];
    const pair = pairs.findIndex(({ places }) => places.includes(at)) + 1;
    return look ? { ...look, letter: `${look.letter}${pair}` } : looks[at]!;
  };
  const compared = sessions.map(({ log: { series } }, at) => ({
    series,
    time: alignedTime(series, alignment),
    look: lookOf(at),
  }));
  const first = compared[place];
  if (!first) return null;
  const all = (places: readonly number[]): ComparedSession[] => places.map((each) => compared[each]!);
  return {
    sessions: compared,
    reference: first,
    chosen: chosen === null ? null : (compared[chosen] ?? null),
    pairs: pairs.map(({ name, places, reference: at }) => ({
      name,
      sessions: all(places),
      reference: compared[at]!,
    })),
    arms: arms.map(({ name, places }, arm) => ({ name, look: armLooks[arm]!, sessions: all(places) })),
  };
}

const looksOf = (sessions: readonly OpenSession[]): SessionLook[] =>
  sessionLooks(sessions.map(({ log: { header } }) => header.environment));
