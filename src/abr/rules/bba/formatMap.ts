import { mbps, formatRung, seconds } from '../../format.ts';
import type { Ladder } from '../../ladder.ts';
import type { ChunkStep } from './chunkMap.ts';

/** The sentence for a rung that the map chose. `barriers` says what its steps were compared with. */
export function formatMap(
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
  return `${buffer} maps to ${mbps(mapKbps)}; against ${barriers} one rung up and down that gives ${wanted}${note}.`;
}
