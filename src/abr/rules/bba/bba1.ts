import { mustBePositive, tunableRule } from '../../parameters.ts';
import { sizeNote } from '../../segmentBytes.ts';
import {
  CHUNK_MAP_DEFAULTS,
  chunkMapOf,
  observedByMap,
  stepOnChunkMap,
  type ChunkMap,
  type ChunkMapParameters,
} from './chunkMap.ts';
import { formatMap } from './formatMap.ts';

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
        because: () =>
          formatMap(map.sizes.ladder, step, {
            bufferMs: moment.bufferMs,
            barriers: 'the next segment',
            note: sizeNote(map.sizes, moment.segment),
          }),
        values: {
          mapKbps: step.mapKbps,
          reservoirMs: step.cushion.reservoirMs,
          cushionEndMs: step.cushion.endMs,
        },
      };
    },
  };
});
