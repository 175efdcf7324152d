import { guarded } from '../onEvents.ts';
import type { LoaderData } from './dashRequest.ts';

/** What happens to a request between the two interceptors. */
interface LoaderHooks {
  /** The loader is about to send. */
  readonly onSending: () => void;
  /** XMLHttpRequest.send or fetch was called. */
  readonly onSent: () => void;
  readonly onProgress: (event: LoaderProgress) => void;
  readonly onTimeout: () => void;
  readonly onAbort: () => void;
  readonly onLoadEnd: () => void;
}

export interface LoaderProgress {
  readonly loaded?: number;
  /** A piece of the body (dash.js' FetchLoader only). */
  readonly data?: ArrayBuffer;
  /** How long the bytes of a whole body came, ms, without the waits between its chunks (dash.js' FetchLoader only). */
  readonly time?: number | null;
}

/**
 * Listens in on a request where no interceptor runs: time-outs, aborts, progress, and the very moment of sending.
 * dash.js' HTTPLoader writes its callbacks into `customData` after the request interceptors and just before
 * `loader.load`; XHRLoader and FetchLoader write `customData.abort` when the request is out (net/*.js, 5.2.1). So
 * accessors in place of these properties see it all, with both loaders and however late we were attached, without
 * taking the one slot per class that `player.extend` has.
 */
export function hookLoader(customData: LoaderData, hooks: LoaderHooks): void {
  // HTTPLoader sets ontimeout last before it calls the loader.
  tap(customData, 'ontimeout', { onCall: hooks.onTimeout, onSet: hooks.onSending });
  tap(customData, 'abort', { onSet: hooks.onSent });
  tap(customData, 'onprogress', { onCall: hooks.onProgress });
  tap(customData, 'onabort', { onCall: hooks.onAbort });
  tap(customData, 'onloadend', { onCall: hooks.onLoadEnd });
}

type Callback = (this: unknown, ...args: unknown[]) => unknown;

function tap(
  target: object,
  name: string,
  { onCall, onSet }: { onCall?: (argument: never) => void; onSet?: () => void },
): void {
  const before = onCall && guarded(onCall);
  const after = onSet && guarded(onSet);
  // Where another recorder of this player has tapped it, the callback goes through both.
  const { get, set } = Object.getOwnPropertyDescriptor(target, name) ?? {};
  let current: Callback | undefined;
  Object.defineProperty(target, name, {
    configurable: true,
    enumerable: true,
    get: get ?? (() => current),
    set(next: Callback | undefined) {
      // HTTPLoader.abort sets callbacks to undefined to silence them.
      const tapped = next && before ? withBefore(next, before) : next;
      if (set) set.call(target, tapped);
      else current = tapped;
      if (next) after?.();
    },
  });
}

function withBefore(callback: Callback, before: (argument: never) => void): Callback {
  return function (this: unknown, ...args: unknown[]) {
    before(args[0] as never);
    return callback.apply(this, args);
  };
}
