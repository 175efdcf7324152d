import type { MediaPlayerClass, Representation } from 'dashjs';
import { streamProcessors } from '../streamProcessors.ts';
import { segmentsOf, templateOf } from './dashStream.ts';
import type { AskableSegment } from './headSource.ts';
import { segmentUrl } from './segmentUrl.ts';
import type { SizesQuestion } from './sizesSource.ts';

/** As far as the rules that plan ahead look (MPC: five segments). */
const AHEAD = 5;

/**
 * The next segments at every rung, the nearest first; none where segments do not go by numbers. What stands before
 * the template's part of an address is taken from dash.js' next request: it chose among the MPD's BaseURLs.
 */
export function segmentsAhead(
  player: MediaPlayerClass,
  { mediaType, choices, segment }: SizesQuestion,
): readonly AskableSegment[] {
  if (segment === null) return [];
  const processor = streamProcessors(player).find((each) => each.getType() === mediaType);
  const base = baseOf(processor?.probeNextRequest() ?? null);
  if (base === null) return [];
  const [first] = choices;
  const end = Math.min(segment + AHEAD, first ? segmentsOf(first) : 0);
  const wanted: AskableSegment[] = [];
  for (let index = segment; index < end; index += 1)
    for (const choice of choices) {
      const part = partOf(choice, index);
      if (part !== null)
        wanted.push({ mediaType, representationId: choice.id, segment: index, url: base + part });
    }
  return wanted;
}

type Next = ReturnType<ReturnType<typeof streamProcessors>[number]['probeNextRequest']>;

function baseOf(next: Next): string | null {
  if (!next?.url || !next.representation) return null;
  const part = partOf(next.representation, next.index);
  return part !== null && next.url.endsWith(part) ? next.url.slice(0, -part.length) : null;
}

function partOf(representation: Representation, index: number): string | null {
  const template = templateOf(representation);
  if (!template) return null;
  const { id, bandwidth } = representation;
  return segmentUrl(template.media, { id, bandwidth, number: template.startNumber + index });
}
