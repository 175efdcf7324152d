import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { Diagnostic } from './finding.ts';

const WITHIN_MS = 10_000;
/** A rule that tries a level and leaves it again turns twice. */
const MIN_TURNS = 4;

/** A rule that leaves each level for the one before it: what it decides by is moved by its own answer. */
export const backAndForth: Diagnostic = {
  id: 'back-and-forth',
  label: 'switches back and forth',
  watch() {
    let [way, turns, sinceMs] = [0, 0, -Infinity];
    const worst = { turns: 0, atMs: 0 };
    return {
      see(event) {
        const next = wayOf(event);
        if (next === 0) return;
        if (next === -way) {
          if (event.atMs - sinceMs >= WITHIN_MS) [turns, sinceMs] = [0, event.atMs];
          turns += 1;
          if (turns > worst.turns) Object.assign(worst, { turns, atMs: sinceMs });
        }
        way = next;
      },
      findings: () =>
        worst.turns < MIN_TURNS
          ? []
          : [
              {
                id: 'back-and-forth',
                severity: 'warning',
                sentence: `The rule switched back and forth ${worst.turns} times within 10 s`,
                fix: null,
                atMs: worst.atMs,
              },
            ],
    };
  },
};

/** Up is 1, down is −1; 0 where the level of the video stays, or is not decided. */
const wayOf = (event: SessionEvent): number =>
  event.kind === 'decision' && event.mediaType === 'video'
    ? Math.sign((event.rung ?? 0) - (event.fromRung ?? event.rung ?? 0))
    : 0;
