import { createMediaBody, type BodyListeners, type MediaBody, type MediaLoad } from './mediaBody.ts';
import {
  createProgressEvents,
  type MediaRequest,
  type MediaResponse,
  type ProgressEvents,
} from './progressEvents.ts';

/** ms. Timers wait no longer (HTML, "timer initialisation steps": a signed 32-bit number). */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Loads `request` with fetch, byte ranges past the browser's cache (`no-store`), and fills `response`. Calls dash.js back as
 * its own XHRLoader does: progress every 50 ms and at the end, then `onloadend`; `ontimeout` and `onloadend` when the time
 * is up; `onabort` alone, at once, when it is aborted. `response` stays as it was (status 0) unless the whole body came.
 * `onEnd` is called first at every end, and `onPart` when what is missing has been requested from another server.
 * `createBody` requests the body; absent: in one piece.
 */
export function fetchMedia(
  request: MediaRequest,
  response: MediaResponse,
  { onEnd, onPart, createBody = createMediaBody }: LoadOptions,
): MediaLoad {
  const { customData } = request;
  let hasEnded = false;
  let progress = progressOf(null, request);
  const body = createBody(request, {
    onPart: () => onPart?.(),
    onAnnounced(totalBytes) {
      progress.stop();
      progress = progressOf(totalBytes, request);
    },
    onBytes: (bytes) => progress.received(bytes),
  });
  const end = (tell: () => void): void => {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timer);
    progress.stop();
    onEnd();
    tell();
  };
  const onTime = (): void => {
    body.abort();
    customData.ontimeout?.(progress.current());
    customData.onloadend?.();
  };
  const timer = startTimer(request.timeout ?? 0, () => end(onTime));
  body.received.then(
    (received) => {
      if (!hasEnded) progress.flush();
      end(() => {
        Object.assign(response, received);
        customData.onloadend?.();
      });
    },
    () => end(() => customData.onloadend?.()),
  );
  customData.abort = () =>
    end(() => {
      body.abort();
      customData.onabort?.();
    });
  return { progress: body.progress, continueAt: (url) => !hasEnded && body.continueAt(url) };
}

export type CreateBody = (request: MediaRequest, listeners: BodyListeners) => MediaBody;

interface LoadOptions {
  readonly onEnd: () => void;
  readonly onPart?: () => void;
  readonly createBody?: CreateBody;
}

const progressOf = (totalBytes: number | null, { customData }: MediaRequest): ProgressEvents =>
  createProgressEvents(totalBytes, (event) => customData.onprogress?.(event));

function startTimer(timeoutMs: number, onTime: () => void): ReturnType<typeof setTimeout> | undefined {
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) return undefined;
  return setTimeout(onTime, Math.min(timeoutMs, MAX_TIMER_MS));
}
