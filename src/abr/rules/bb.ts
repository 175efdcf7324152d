import type { Ladder } from '../ladder.ts';
import { tunableRule } from '../parameters.ts';
import { formatRung, seconds } from '../format.ts';

interface State {
  readonly ladder: Ladder;
}

/** Pensieve's setting: reservoir 5 s, cushion 10 s. A weak one: BBA's own, scaled to a 60 s buffer, is 8 s and 46 s. */
const PENSIEVE = { reservoirMs: 5000, cushionMs: 10_000 };

/**
 * The buffer-based baseline of Pensieve: the rung follows the buffer level alone.
 *
 *     B < r: lowest      r ≤ B < r + c: ⌊(M − 1)(B − r)/c⌋      r + c ≤ B: highest         (B buffer, M rungs)
 *
 * It spreads rung *numbers* evenly over the cushion, not rates as BBA-0 does, and has no hysteresis. Where the player
 * keeps less than r + c in its buffer the top rungs are out of reach, and `because` says so.
 */
export const bb = tunableRule(PENSIEVE, ({ reservoirMs, cushionMs }) => {
  if (reservoirMs < 0 || cushionMs <= 0)
    throw new Error(
      `The parameters reservoirMs and cushionMs of bb must be at least 0 and above 0, not ${reservoirMs} and ${cushionMs}.`,
    );
  return {
    id: 'bb',
    label: 'BB',
    paper:
      'Buffer-based baseline of Mao, Netravali, Alizadeh: Pensieve, SIGCOMM 2017, after Huang et al., SIGCOMM 2014',
    start: ({ ladder }): State => ({ ladder }),
    observe: (state, event) => (event.kind === 'ladder' ? { ladder: event.ladder } : state),
    decide({ ladder }, { bufferMs, bufferTargetMs }) {
      const top = ladder.length - 1;
      const full = Math.min(Math.max((bufferMs - reservoirMs) / cushionMs, 0), 1);
      const rung = Math.floor(top * full);
      return {
        rung,
        because: () => {
          const limit =
            bufferTargetMs < reservoirMs + cushionMs
              ? `; the player keeps no more than ${seconds(bufferTargetMs)}`
              : '';
          return `The buffer of ${seconds(bufferMs)} fills ${Math.round(full * 100)} % of the cushion between ${seconds(reservoirMs)} and ${seconds(reservoirMs + cushionMs)}${limit}: ${formatRung(ladder, rung)}.`;
        },
        values: { bufferMs, cushionShare: full },
      };
    },
  };
});
