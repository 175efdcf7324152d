import { createElementAdapter } from './elementAdapter.ts';
import { guarded, onEvents } from './onEvents.ts';
import { trackResources, typeByPath } from './requests/trackResources.ts';
import { nameMpd } from './sessionHeader.ts';
import { startSession } from './startSession.ts';
import type { ElementSurroundings } from './surroundings.ts';
import type { ElementOptions, ElementTelemetry } from './telemetry.ts';
import { trackElementBuffer } from './trackBuffer.ts';
import { DECODE, trackMediaErrors } from './trackMediaErrors.ts';
import { trackPlayback, trackVisibility } from './trackPlayback.ts';

/**
 * Records what a media element plays, whatever player feeds it, as a session log: from its own events, its buffer, the frames
 * that it presents, and Resource Timing. It changes nothing of the page: no `fetch`, no XMLHttpRequest and no MediaSource is
 * replaced. Call it before the player gets its source: then it sees the first request. Rejects where a session to resume is not
 * stored, and for no other reason.
 */
export async function recordElement(
  video: HTMLMediaElement,
  options: ElementOptions = {},
): Promise<ElementTelemetry> {
  const { keepQueryValues = false, typeOf = typeByPath } = options;
  return startSession(video, options, ({ header, ...session }) => {
    const around = { video, keepQueryValues, ...session };
    const screen = trackPlayback({ ...around, adapter: createElementAdapter(video) });
    const disposers = [
      trackResources(around, { typeOf, onManifest: (url) => nameMpd(header, url, keepQueryValues) }),
      trackElementBuffer(around, screen),
      trackResizes(around),
      trackVisibility(around),
      // A player may start the decoder anew.
      trackMediaErrors(around, (code) => code !== DECODE),
      screen.dispose,
    ];
    return {
      expectSeek: screen.expectSeek,
      stop() {
        for (const dispose of disposers) guarded(dispose)();
      },
    };
  });
}

/** The size of the picture, where there is one and when it changes. Returns the disposer. */
function trackResizes({ video, clock, recording }: ElementSurroundings): () => void {
  const record = (): void => {
    const { videoWidth: widthPx = 0, videoHeight: heightPx = 0 } = video as Partial<HTMLVideoElement>;
    // An element without media, or without a picture, has the size 0.
    if (widthPx > 0)
      recording.record({ kind: 'resize', atMs: clock.nowMs(), widthPx, heightPx, missing: {} });
  };
  record();
  return onEvents(video, ['resize'], record);
}
