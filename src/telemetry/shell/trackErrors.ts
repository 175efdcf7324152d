import type { MediaPlayerClass } from 'dashjs';
import type { ErrorEvent } from '../event.ts';
import { onEvents } from './onEvents.ts';
import { onNextSource, onPlayer, type Surroundings } from './surroundings.ts';
import { DECODE, recordError, trackMediaErrors } from './trackMediaErrors.ts';

/** dash.js' DashJSError. */
interface DashError {
  readonly code?: number | string;
  readonly message?: string;
  readonly data?: { readonly request?: object | null } | null;
}

type RecordError = (
  error: Pick<ErrorEvent, 'source' | 'code' | 'fatal' | 'requestId'>,
  message: string,
) => void;

/** dash.js' codes after which it plays nothing more: no playable media, no decoder, no key system (Errors.js, ProtectionErrors.js). */
export const ENDING_CODES: readonly unknown[] = [32, 35, 111, 112];

/** After so many dash.js no longer starts the decoder anew (StreamController._onPlaybackError); then the error ends playback. */
const decodeRecoveries = (player: MediaPlayerClass): number =>
  player.getSettings().errors?.recoverAttempts?.mediaErrorDecode ?? 0;

/**
 * What dash.js and the video element report as errors, in words, and what dash.js throws and nobody catches.
 * `requestIdOf` finds the request behind one.
 */
export function trackErrors(
  around: Surroundings,
  requestIdOf: (dashRequest: object) => string | null,
): () => void {
  const { player } = around;
  let hasManifest = false;
  let decodeErrors = 0;
  const record: RecordError = (error, message) => recordError(around, error, message);
  const offPlayer = onPlayer<{ error?: DashError; data?: unknown }>(player, {
    manifestLoaded: ({ data }) => void (hasManifest ||= Boolean(data)),
    error({ error }) {
      const { code, message = '', data } = error ?? {};
      const requestId = data?.request ? requestIdOf(data.request) : null;
      // Without a manifest nothing plays, and dash.js does not try again by itself. What a reset cuts short has not failed.
      const fatal = !hasManifest || (ENDING_CODES.includes(code) && player.isReady());
      record({ source: 'player', code: `dashjs-${String(code ?? 'unknown')}`, fatal, requestId }, message);
    },
  });
  const offThrown = onThrown(record);
  const offMedia = trackMediaErrors(around, (code) => {
    if (code === DECODE) decodeErrors += 1;
    return code !== DECODE || decodeErrors > decodeRecoveries(player);
  });
  const offSource = onNextSource(player, () => {
    hasManifest = false;
    decodeErrors = 0;
  });
  return () => {
    offSource();
    offPlayer();
    offMedia();
    offThrown();
  };
}

/** Scripts of dash.js, as it is published and as bundlers name them. */
const OF_DASH = /\/dash[^/]*\.js/;
const MAX_THROWN = 20;

/** Reports what dash.js throws and nobody catches, each once: what it does again and again it may throw again and again. */
function onThrown(record: RecordError): () => void {
  const thrown = new Set<string>();
  const listener = (event: Event): void => {
    const { reason, error: fault = reason } = event as Event & { readonly error?: unknown; reason?: unknown };
    // The first script that the stack names threw it.
    const [, place = ''] = String((fault as Error | null)?.stack).split('://');
    const text = String(fault);
    if (!OF_DASH.test(place) || thrown.has(text) || thrown.size === MAX_THROWN) return;
    thrown.add(text);
    const error = { source: 'player', code: 'dashjs-exception', fatal: false, requestId: null } as const;
    record(error, `dash.js threw an exception: ${text}`);
  };
  return onEvents(globalThis, ['error', 'unhandledrejection'], listener);
}
