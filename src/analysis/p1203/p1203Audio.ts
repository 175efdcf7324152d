import { failed, ok, type Result } from '../../shared/result.ts';
import type { LadderEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../eventsOf.ts';
import { playSpans } from '../playSpans.ts';
import { renderedSpans } from '../renderedSpans.ts';
import { watchedSegments, type WatchedSegment } from './watchedSegments.ts';

export interface P1203Audio extends WatchedSegment {
  readonly bitrate: number;
  readonly codec: string;
}

/** I.11: a segment for each stretch at one audio rung; with a single rung, for each stretch of play. */
export function p1203Audio(log: SessionLog): Result<P1203Audio[]> {
  const rungs = eventsOf(log, 'ladder').flatMap((ladder) =>
    ladder.mediaType === 'audio' ? ladder.rungs : [],
  );
  const [first] = rungs;
  if (!first) return failed('the log has no audio ladder.');
  const strange = rungs.find(({ codecs }) => codecOf(codecs) === null);
  if (strange) return failed(`P.1203 knows AAC, HE-AAC, MP2 and AC-3, not "${strange.codecs}".`);
  const codec = codecOf(first.codecs)!;
  const spans = renderedSpans(log, 'audio');
  if (spans.length > 0)
    return ok(watchedSegments(spans, ({ bitrateKbps }) => ({ bitrate: bitrateKbps, codec })));
  return isOne(rungs)
    ? ok(watchedSegments(playSpans(log), () => ({ bitrate: first.bitrateKbps, codec })))
    : failed('the log does not say which audio rung was played.');
}

const isOne = (rungs: LadderEvent['rungs']): boolean =>
  rungs.every(({ bitrateKbps }) => bitrateKbps === rungs[0]!.bitrateKbps);

function codecOf(codecs: string): string | null {
  if (/\bmp4a\.40\.(5|29)\b/.test(codecs)) return 'heaac';
  if (/\bmp4a\.40\.(02|2)\b/.test(codecs)) return 'aaclc';
  if (/\bac-3\b/.test(codecs)) return 'ac3';
  return /\bmp2\b/i.test(codecs) ? 'mp2' : null;
}
