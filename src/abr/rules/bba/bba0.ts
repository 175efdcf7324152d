import { segmentMsOf } from '../../segmentBytes.ts';
import type { Ladder } from '../../ladder.ts';
import { mustBePositive, tunableRule } from '../../parameters.ts';
import { cushionOf } from './cushion.ts';
import { formatMap } from './formatMap.ts';
import { stepOnMap } from './stepOnMap.ts';

/**
 * BBA-0: the buffer level alone chooses the rung (Huang, Johari, McKeown, Trunnell, Watson: A Buffer-Based Approach to
 * Rate Adaptation, SIGCOMM 2014, §4, Algorithm 1). A fixed reservoir of `reservoirMs`, above it a straight line from
 * the lowest to the highest bitrate, which it reaches at `cushionEndShare` of the buffer.
 *
 * The paper has a buffer of 240 s with a reservoir of 90 s; here it is scaled to `bufferMaxMs` = 60 s, the cap of every
 * public simulator, with a reservoir of 8 s. `bufferMaxMs=240000:reservoirMs=90000` is the paper's own. Where the
 * player stops filling below `bufferMaxMs`, the map ends there too: otherwise its upper part would never be reached.
 *
 * AStream's "netflix" module is often taken for this family: its line runs from 10 % to 90 % of 60 segments, whatever
 * their length, and is no Algorithm 1.
 */
export const bba0 = tunableRule(
  { bufferMaxMs: 60_000, reservoirMs: 8000, cushionEndShare: 0.9 },
  (parameters) => {
    mustBePositive('bba-0', parameters, ['bufferMaxMs', 'reservoirMs', 'cushionEndShare']);
    const { bufferMaxMs, reservoirMs, cushionEndShare: endShare } = parameters;
    return {
      id: 'bba-0',
      label: 'BBA-0',
      paper: 'Huang et al., A Buffer-Based Approach to Rate Adaptation, SIGCOMM 2014, §4',
      start: ({ ladder, segmentMs }): Known => ({ ladder, segmentMs }),
      observe: (state, event): Known =>
        event.kind === 'ladder' ? { ladder: event.ladder, segmentMs: event.segmentMs } : state,
      decide(state, { bufferMs, bufferTargetMs, lastRung }) {
        const { ladder } = state;
        const segmentMs = segmentMsOf(state);
        const cushion = cushionOf(
          { bufferMaxMs, bufferTargetMs, segmentMs, endShare },
          reservoirMs,
          reservoirMs,
        );
        const costKbps = (rung: number): number => ladder[rung]!.bitrateKbps;
        const { rung, mapKbps } = stepOnMap({ ladder, cushion, bufferMs, lastRung, costKbps });
        return {
          rung,
          because: () =>
            formatMap(ladder, { rung, mapKbps, cushion }, { bufferMs, barriers: 'the bitrates' }),
          values: { mapKbps, reservoirMs: cushion.reservoirMs, cushionEndMs: cushion.endMs },
        };
      },
    };
  },
);

interface Known {
  readonly ladder: Ladder;
  readonly segmentMs: number;
}
