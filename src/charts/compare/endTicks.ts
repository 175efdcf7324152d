import type { Tick } from '../chart.ts';
import type { ComparedSession, Comparison } from './comparedSession.ts';
import { MANY_SESSIONS } from './sharedLine.ts';

/** Px between two letters, one above the other. */
const LETTER_PX = 13;

/** Each session's letter at the right edge, at the height its line ends; none where there are too many to tell apart. */
export function endTicks(
  { sessions }: Comparison,
  {
    top,
    heightPx,
    lastOf,
  }: { top: number; heightPx: number; lastOf: (session: ComparedSession) => number | null },
): Tick[] {
  if (sessions.length > MANY_SESSIONS) return [];
  const gap = (LETTER_PX / heightPx) * top;
  let free = top;
  return sessions
    .flatMap((session) => {
      const value = lastOf(session);
      return value === null ? [] : [{ session, value: Math.min(value, top) }];
    })
    .sort((one, other) => other.value - one.value)
    .map(({ session: { look }, value }, index, all) => {
      const below = (all.length - 1 - index) * gap;
      const placed = Math.max(below, Math.min(value, free));
      free = placed - gap;
      return { value: placed, label: look.letter, tone: look.tone, strong: true };
    });
}
