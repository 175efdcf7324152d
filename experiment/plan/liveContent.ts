import { PADDED, paddedContent } from './paddedContent.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';

/** A live stream, as a campaign names it. Each session has its own, which is as old when play is requested as any other's. */
export interface LiveContent {
  /** Chunks come at the encoder's pace; otherwise segments come whole. */
  readonly isLowLatency: boolean;
  /** The padded stream that is repeated for ever; null: the live test stream. */
  readonly padded: string | null;
}

export const LIVE = 'live';
const LOW_LATENCY = 'low-latency';

export const isLive = (content: string): boolean => content === LIVE || content.startsWith(`${LIVE}:`);

/** Reads `live`, `live:low-latency` and `live:padded:TABLE` with its settings. The error is one sentence. */
export function liveContent(text: string): Result<LiveContent> {
  const source = text.slice(LIVE.length + 1);
  if (source === '' && text === LIVE) return ok({ isLowLatency: false, padded: null });
  if (source === LOW_LATENCY) return ok({ isLowLatency: true, padded: null });
  if (!source.startsWith(PADDED))
    return failed(`Unknown live stream "${text}"; known: live, live:low-latency, and live:padded:TABLE.`);
  const padded = paddedContent(source);
  return padded.ok ? ok({ isLowLatency: false, padded: source }) : padded;
}
