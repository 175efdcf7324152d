import type { Alignment } from '../../analysis/comparison/alignedTime.ts';
import type { Range } from '../../charts/range.ts';
import { writeCompareLink } from './compareLink.ts';
import type { OpenSession } from './openSession.ts';

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
  ...{ sessions: [], reference: 0, chosen: null, alignment: 'playback', range: null, lists: [] },
});

/** The query of a link that opens the same. Files of the visitor cannot be in it. */
export const linkOf = ({ sessions, lists, reference, alignment, range }: CompareState): string =>
  writeCompareLink({
    logs: lists.length > 0 ? [] : sessions.flatMap(({ source }) => source.address ?? []),
    reference: String.fromCharCode(65 + reference),
    ...{ lists, alignment, range },
  });

/** Without one session: what was the reference stays it, if it is still there. */
export function withoutSession(state: CompareState, place: number): CompareState {
  const { sessions, reference } = state;
  return {
    ...state,
    sessions: sessions.filter((_, index) => index !== place),
    reference: reference > place ? reference - 1 : reference === place ? 0 : reference,
    ...{ chosen: null, lists: [] },
  };
}
