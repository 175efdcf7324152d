import type { MediaPlayerClass } from 'dashjs';
import { fetchMedia } from './fetchMedia.ts';
import type { DashLoader, MediaRequest } from './progressEvents.ts';

/**
 * Has byte ranges loaded past the browser's cache; all other requests stay with dash.js' own loader. Call it before
 * `initialize`. Why: docs/decisions/0013-ranges-past-the-cache.md.
 */
export function loadRangesUncached(player: MediaPlayerClass): void {
  player.extend('XHRLoader', extension, true);
}

/** What dash.js' FactoryMaker binds to an extension that overrides a class. */
interface Extending {
  readonly parent: DashLoader;
}

function extension(this: Extending): DashLoader {
  // dash.js puts our methods in place of these in the very object.
  const own = { ...this.parent };
  const running = new Set<MediaRequest>();
  const abortAll = (): void => {
    for (const request of [...running]) request.customData.abort?.();
  };
  return {
    load(request, response) {
      if (!isUncached(request)) return own.load(request, response);
      running.add(request);
      fetchMedia(request, response, () => void running.delete(request));
      return true;
    },
    abort(request) {
      // HTTPLoader names the request from before the interceptors, which may have put another around the same data.
      const ours = [...running].find(({ customData }) => customData === request?.customData);
      if (ours) ours.customData.abort?.();
      else own.abort();
    },
    reset() {
      abortAll();
      own.reset();
    },
    resetInitialSettings() {
      abortAll();
      own.resetInitialSettings();
    },
  };
}

/** A range of a body of bytes. An address with a password stays with XMLHttpRequest: fetch refuses it. */
function isUncached({ url, method, responseType, headers = {} }: MediaRequest): boolean {
  const isRange = Object.keys(headers).some((name) => name.toLowerCase() === 'range' && headers[name]);
  return isRange && method === 'GET' && responseType === 'arraybuffer' && !hasUser(url);
}

function hasUser(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && (parsed.username !== '' || parsed.password !== '');
}
