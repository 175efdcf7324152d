import type { MediaPlayerClass } from 'dashjs';
import { fetchMedia, type CreateBody } from './fetchMedia.ts';
import type { MediaLoad } from './mediaBody.ts';
import type { DashLoader, MediaRequest } from './progressEvents.ts';

/** Follows the media requests of a player, to continue them on another pathway. */
export interface LoadWatcher {
  /** Whether it follows this request. */
  wants(request: MediaRequest): boolean;
  began(request: MediaRequest, load: MediaLoad): void;
  /** What is missing was requested from another server. */
  continued(request: MediaRequest): void;
  ended(request: MediaRequest): void;
}

/** Requests segments in several ranges at once. */
export interface Splitter {
  /** How the body of a request is requested; null: in one piece. */
  bodyOf(request: MediaRequest): CreateBody | null;
}

/**
 * Loads requests with our own loader; all others stay with dash.js'. Call it before `initialize`. `uncachedRanges`: byte
 * ranges go past the browser's cache (docs/decisions/0013-ranges-past-the-cache.md). `watcher`: so do the requests that
 * it follows. `splitter`: and those that it requests in ranges.
 */
export function useOwnLoader(
  player: MediaPlayerClass,
  {
    uncachedRanges,
    watcher,
    splitter,
  }: { uncachedRanges: boolean; watcher: LoadWatcher | null; splitter: Splitter | null },
): void {
  if (!uncachedRanges && !watcher && !splitter) return;
  const isOurs = (request: MediaRequest): boolean =>
    (uncachedRanges && isRange(request)) || (watcher?.wants(request) ?? false);
  player.extend('XHRLoader', extension({ isOurs, watcher, splitter }), true);
}

/** What dash.js' FactoryMaker binds to an extension that overrides a class. */
interface Extending {
  readonly parent: DashLoader;
}

interface Extension {
  readonly isOurs: (request: MediaRequest) => boolean;
  readonly watcher: LoadWatcher | null;
  readonly splitter: Splitter | null;
}

const extension = ({ isOurs, watcher, splitter }: Extension) =>
  function (this: Extending): DashLoader {
    // dash.js puts our methods in place of these in the very object.
    const own = { ...this.parent };
    const running = new Set<MediaRequest>();
    const abortAll = (): void => {
      for (const request of [...running]) request.customData.abort?.();
    };
    return {
      load(request, response) {
        if (hasUser(request.url)) return own.load(request, response);
        const createBody = splitter?.bodyOf(request);
        if (!createBody && !isOurs(request)) return own.load(request, response);
        running.add(request);
        const load = fetchMedia(request, response, {
          ...(createBody && { createBody }),
          onEnd() {
            running.delete(request);
            watcher?.ended(request);
          },
          onPart: () => watcher?.continued(request),
        });
        watcher?.began(request, load);
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
  };

/** A range of a body of bytes. */
function isRange({ method, responseType, headers = {} }: MediaRequest): boolean {
  const hasRange = Object.keys(headers).some((name) => name.toLowerCase() === 'range' && headers[name]);
  return hasRange && method === 'GET' && responseType === 'arraybuffer';
}

/** An address with a password stays with XMLHttpRequest: fetch refuses it. */
function hasUser(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && (parsed.username !== '' || parsed.password !== '');
}
