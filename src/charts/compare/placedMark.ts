import type { DotsMark, HatchMark, SpansMark, TextsMark } from '../mark.ts';

/** Marks that lie at moments of a session's own time, and can be moved to those of a shared axis. */
export type PlacedMark = SpansMark | HatchMark | TextsMark | DotsMark;

/** The same mark with each of its moments somewhere else. */
export function placedMark(mark: PlacedMark, of: (atMs: number) => number): PlacedMark {
  const all = (times: ArrayLike<number>): number[] => Array.from(times, of);
  switch (mark.kind) {
    case 'spans':
      return { ...mark, fromMs: all(mark.fromMs), midMs: all(mark.midMs), toMs: all(mark.toMs) };
    case 'hatch':
      return {
        ...mark,
        spans: mark.spans.map(({ fromMs, toMs }) => ({ fromMs: of(fromMs), toMs: of(toMs) })),
      };
    case 'texts':
      return { ...mark, items: mark.items.map((item) => ({ ...item, atMs: of(item.atMs) })) };
    case 'dots':
      return { ...mark, xs: all(mark.xs) };
  }
}
