import { mustBePositive, tunableRule } from '../../parameters.ts';
import { sizeNote } from '../../segmentBytes.ts';
import { formatRung } from '../../format.ts';
import { CHUNK_MAP_DEFAULTS, chunkMapOf, observedByMap, stepOnChunkMap, type ChunkMap } from './chunkMap.ts';
import { formatMap } from './formatMap.ts';
import { observedByRamp, RAMP_START, rampRung, type Ramp } from './ramp.ts';

/**
 * BBA-2: BBA-1 with a start-up that uses how fast segments come (Huang et al., SIGCOMM 2014, §6). It starts on the
 * lowest rung and goes one up when the last segment came `rampEmptyGain` × its length faster than it plays (0.875: eight
 * times real time), a demand that falls in a straight line to `rampFullGain` (0.5) as the cushion fills. The start-up
 * ends for good when the buffer shrinks, or the map asks for more than the ramp. A seek starts it anew.
 *
 * Parameters as in BBA-1, scaled to 60 s; no outage protection, as there. Public codes that go by this name differ:
 * AStream's "netflix" has a map of bitrates and not of segment sizes, a constant 0.875, and counts two segments as the
 * start-up.
 */
export const bba2 = tunableRule(
  { ...CHUNK_MAP_DEFAULTS, rampEmptyGain: 0.875, rampFullGain: 0.5 },
  (parameters) => {
    mustBePositive('bba-2', parameters, Object.keys(parameters));
    return {
      id: 'bba-2',
      label: 'BBA-2',
      paper: 'Huang et al., A Buffer-Based Approach to Rate Adaptation, SIGCOMM 2014, §6',
      start: (context): State => ({ map: chunkMapOf(context, parameters), ramp: RAMP_START }),
      observe: ({ map, ramp }, event): State => ({
        map: observedByMap(map, event, parameters),
        ramp: observedByRamp(ramp, event, { map, parameters }),
      }),
      decide({ map, ramp }, moment) {
        const step = stepOnChunkMap(map, moment, parameters);
        const { ladder } = map.sizes;
        const ramped = rampRung(ramp, ladder, moment.lastRung);
        const rung = ramped === null ? step.rung : Math.max(ramped, step.rung);
        const onRamp = ramped !== null && ramped >= step.rung;
        return {
          rung,
          because: () =>
            onRamp
              ? `Start-up: ${rampReason(ramp)}, so ${formatRung(ladder, rung)}.`
              : formatMap(ladder, step, {
                  bufferMs: moment.bufferMs,
                  barriers: 'the next segment',
                  note: sizeNote(map.sizes, moment.segment),
                }),
          values: {
            mapKbps: step.mapKbps,
            reservoirMs: step.cushion.reservoirMs,
            cushionEndMs: step.cushion.endMs,
            rampGain: ramped === null ? null : ramp.gain,
          },
        };
      },
    };
  },
);

interface State {
  readonly map: ChunkMap;
  readonly ramp: Ramp;
}

function rampReason({ gain, up }: Ramp): string {
  if (gain === null) return 'no segment is loaded yet';
  const gained = `the last segment gained ${(gain * 100).toFixed(0)} % of its length in buffer`;
  return up ? `${gained}, enough for one rung up` : `${gained}, too little for a rung up`;
}
