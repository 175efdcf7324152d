import { segmentMsOf, sizeNote } from '../../segmentBytes.ts';
import type { Ladder } from '../../ladder.ts';
import { mustBePositive, tunableRule } from '../../parameters.ts';
import {
  cushionOf,
  stepOnMap,
  CHUNK_MAP_DEFAULTS,
  chunkMapOf,
  observedByMap,
  stepOnChunkMap,
  type ChunkMap,
  type ChunkMapParameters,
  type ChunkStep,
} from './map.ts';
import { formatRung, mbps, seconds } from '../../format.ts';
import type { DownloadEvent, Moment, RuleEvent } from '../../rule.ts';
import { formatPercent } from '../../../shared/format.ts';

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
        const step = { rung, mapKbps, cushion };
        return {
          rung,
          because: () => formatMap(ladder, step, { bufferMs, barriers: 'the bitrates' }),
          values: valuesOf(step),
        };
      },
    };
  },
);

interface Known {
  readonly ladder: Ladder;
  readonly segmentMs: number;
}

/**
 * BBA-1: BBA-0 for variable bitrate (Huang et al., SIGCOMM 2014, §5.1). Two things change: Algorithm 1 compares the map
 * with what the *next* segment costs one rung up and down, and the reservoir is what the next `lookAheadMs` of the
 * lowest rung cost beyond its bitrate, kept within [`reservoirMinMs`, 140/240 of the buffer].
 *
 * Scaled from the paper's 240 s to `bufferMaxMs` = 60 s: look-ahead 480 → 120 s, reservoir 8–140 → 8–35 s, the map's
 * end 216 → 54 s. Where the player stops filling earlier, the map ends there too. Unknown sizes count as bitrate ×
 * duration; then this is BBA-0 with the smallest reservoir. The outage protection of the paper's later variants
 * (+400 ms of reservoir a segment, §7) is left out.
 *
 * The average segment of a rung (the ends of the map) is taken as bitrate × duration: the true average needs the sizes
 * of the whole video, which a live stream never has.
 */
export const bba1 = tunableRule(CHUNK_MAP_DEFAULTS, (parameters: ChunkMapParameters) => {
  mustBePositive('bba-1', parameters, Object.keys(CHUNK_MAP_DEFAULTS));
  return {
    id: 'bba-1',
    label: 'BBA-1',
    paper: 'Huang et al., A Buffer-Based Approach to Rate Adaptation, SIGCOMM 2014, §5.1',
    start: (context): ChunkMap => chunkMapOf(context, parameters),
    observe: (map, event) => observedByMap(map, event, parameters),
    decide(map, moment) {
      const step = stepOnChunkMap(map, moment, parameters);
      return {
        rung: step.rung,
        because: () => formatChunkMap(map, step, moment),
        values: valuesOf(step),
      };
    },
  };
});

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
      start: (context): RampedMap => ({ map: chunkMapOf(context, parameters), ramp: RAMP_START }),
      observe: ({ map, ramp }, event): RampedMap => ({
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
              : formatChunkMap(map, step, moment),
          values: { ...valuesOf(step), rampGain: ramped === null ? null : ramp.gain },
        };
      },
    };
  },
);

interface RampedMap {
  readonly map: ChunkMap;
  readonly ramp: Ramp;
}

function rampReason({ gain, up }: Ramp): string {
  if (gain === null) return 'no segment is loaded yet';
  const gained = `the last segment gained ${formatPercent(gain)} of its length in buffer`;
  return up ? `${gained}, enough for one level up` : `${gained}, too little for a level up`;
}

const valuesOf = ({ mapKbps, cushion }: ChunkStep) => ({
  mapKbps,
  reservoirMs: cushion.reservoirMs,
  cushionEndMs: cushion.endMs,
});

const formatChunkMap = ({ sizes }: ChunkMap, step: ChunkStep, { bufferMs, segment }: Moment): string =>
  formatMap(sizes.ladder, step, {
    bufferMs,
    barriers: 'the next segment',
    note: sizeNote(sizes, segment),
  });

/** The sentence for a rung that the map chose. `barriers` says what its steps were compared with. */
function formatMap(
  ladder: Ladder,
  { rung, mapKbps, cushion }: ChunkStep,
  { bufferMs, barriers, note = '' }: { bufferMs: number; barriers: string; note?: string },
): string {
  const wanted = formatRung(ladder, rung);
  const buffer = `The buffer of ${seconds(bufferMs)}`;
  if (bufferMs <= cushion.reservoirMs)
    return `${buffer} is within the reservoir of ${seconds(cushion.reservoirMs)}, so ${wanted}.`;
  if (bufferMs >= cushion.endMs)
    return `${buffer} is past the end of the cushion at ${seconds(cushion.endMs)}, so ${wanted}.`;
  return `${buffer} maps to ${mbps(mapKbps)}; against ${barriers} one level up and down that gives ${wanted}${note}.`;
}

/** The start-up of BBA-2: one rung up at a time while segments come much faster than they play. */
interface Ramp {
  /** Over for good (until a seek): only the map counts. */
  readonly over: boolean;
  /** What the last segment added to the buffer, as a share of its length; null before the first. */
  readonly gain: number | null;
  /** That was enough for one rung up. */
  readonly up: boolean;
  readonly lastRung: number | null;
  /** The buffer as the downloads alone would have filled it since the start or the seek, ms. */
  readonly bufferMs: number;
}

interface Surroundings {
  readonly map: ChunkMap;
  readonly parameters: ChunkMapParameters & { readonly rampEmptyGain: number; readonly rampFullGain: number };
}

const RAMP_START: Ramp = { over: false, gain: null, up: false, lastRung: null, bufferMs: 0 };
const RAMP_OVER: Ramp = { ...RAMP_START, over: true };

function observedByRamp(ramp: Ramp, event: RuleEvent, around: Surroundings): Ramp {
  if (event.kind === 'seek') return RAMP_START;
  // Rungs of another ladder cannot be compared with those before. (A player tells the first ladder too, right at the start.)
  if (event.kind === 'ladder') return ramp.gain === null ? ramp : RAMP_OVER;
  if (ramp.over || event.kind !== 'download' || event.mediaType !== around.map.mediaType) return ramp;
  return afterDownload(ramp, event, around);
}

function afterDownload(ramp: Ramp, download: DownloadEvent, { map, parameters }: Surroundings): Ramp {
  const segmentMs = segmentMsOf(map.sizes);
  const tookMs = download.lastByteMs - download.startMs;
  const gain = download.aborted ? -1 : 1 - tookMs / segmentMs;
  // The buffer shrinks. Also with the first segment, although an empty buffer cannot: it came too slowly for a ramp.
  if (gain < 0) return RAMP_OVER;
  // The map asked for more than the ramp would have.
  if (ramp.lastRung !== null && download.rung > ramp.lastRung + (ramp.up ? 1 : 0)) return RAMP_OVER;
  const bufferMs = Math.max(ramp.bufferMs - tookMs, 0) + segmentMs;
  return {
    over: false,
    gain,
    up: gain > neededGain(bufferMs, segmentMs, parameters),
    lastRung: download.rung,
    bufferMs,
  };
}

/** 0.875 with an empty buffer, falling to 0.5 where the cushion ends (§6). */
function neededGain(
  bufferMs: number,
  segmentMs: number,
  {
    bufferMaxMs,
    cushionEndShare: endShare,
    reservoirMinMs,
    rampEmptyGain,
    rampFullGain,
  }: Surroundings['parameters'],
): number {
  const scale = { bufferMaxMs, bufferTargetMs: bufferMaxMs, segmentMs, endShare };
  const { endMs } = cushionOf(scale, reservoirMinMs, reservoirMinMs);
  const full = Math.min(bufferMs / endMs, 1);
  return rampEmptyGain + full * (rampFullGain - rampEmptyGain);
}

/** The rung that the start-up wants; null when it is over. */
function rampRung({ over, gain, up }: Ramp, ladder: Ladder, lastRung: number | null): number | null {
  if (over) return null;
  if (gain === null) return 0;
  return Math.min((lastRung ?? 0) + (up ? 1 : 0), ladder.length - 1);
}
