import { absent, withReasons, type ErrorEvent } from '../event.ts';
import { redactText } from '../redactUrl.ts';
import { onEvents } from './onEvents.ts';
import type { ElementSurroundings } from './surroundings.ts';

/** HTML, "MediaError": `MEDIA_ERR_DECODE`. */
export const DECODE = 3;

type RecordedError = Pick<ErrorEvent, 'source' | 'code' | 'fatal' | 'requestId'>;

/** Records an error in words for people, without the query values of addresses. */
export function recordError(
  { clock, recording, keepQueryValues }: ElementSurroundings,
  error: RecordedError,
  message: string,
): void {
  recording.record({
    kind: 'error',
    atMs: clock.nowMs(),
    ...withReasons({
      ...error,
      message: redactText(message || 'It gave no message.', keepQueryValues).slice(0, 4000),
      requestId: error.requestId ?? absent('not-applicable'),
    }),
  });
}

/**
 * What the element reports as errors. Returns the disposer.
 * @param isFatal whether playback ends with the `code` of a MediaError
 */
export function trackMediaErrors(
  around: ElementSurroundings,
  isFatal: (code: number) => boolean,
): () => void {
  const { video } = around;
  return onEvents(video, ['error'], () => {
    const { code = 0, message = '' } = video.error ?? {};
    recordError(
      around,
      { source: 'media', code: `media-${code}`, fatal: isFatal(code), requestId: null },
      message,
    );
  });
}
