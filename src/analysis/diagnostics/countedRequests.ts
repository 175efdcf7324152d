import { formatCount } from '../../shared/format.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { lasting } from './format.ts';

/** A diagnostic that counts the requests that `fits`, and says so from the first one on, with the mean of what is known of their `msOf`. */
function countedRequests({
  id,
  label,
  severity,
  fits,
  msOf = () => null,
  sentence,
  fix,
}: Pick<Diagnostic, 'id' | 'label'> &
  Pick<Finding, 'severity' | 'fix'> & {
    readonly fits: (request: RequestEvent) => boolean;
    readonly msOf?: (request: RequestEvent) => number | null;
    readonly sentence: (count: number, meanMs: number) => string;
  }): Diagnostic {
  return {
    id,
    label,
    watch() {
      let [count, firstMs] = [0, Infinity];
      let [timed, sumMs] = [0, 0];
      return {
        see(event) {
          if (event.kind !== 'request' || !fits(event)) return;
          count += 1;
          firstMs = Math.min(firstMs, event.atMs);
          const ms = msOf(event);
          if (ms === null) return;
          timed += 1;
          sumMs += ms;
        },
        findings: () =>
          count === 0 ? [] : [{ id, severity, sentence: sentence(count, sumMs / timed), fix, atMs: firstMs }],
      };
    },
  };
}

/** Answers of the browser's cache look like a very fast network, also those that the server confirmed (304). */
export const cachedAnswers = countedRequests({
  id: 'cached-answers',
  label: 'answers from the cache',
  severity: 'note',
  fits: ({ missing: { protocol } }) => protocol === 'cached' || protocol === 'revalidated',
  sentence: (count) =>
    `The browser’s cache answered ${formatCount(count, 'request')} without a connection, which does not show the network`,
  fix: 'let the origin send Cache-Control: no-store',
});

/** What a worker passes on and what it had kept look alike. */
export const workerAnswers = countedRequests({
  id: 'worker-answers',
  label: 'answers from a service worker',
  severity: 'note',
  fits: ({ missing }) => missing['protocol'] === 'service-worker',
  sentence: (count) =>
    `A service worker of the page answered ${formatCount(count, 'request')}; whether it asked the network is unknown`,
  fix: null,
});

/** A redirect is another request before the one that counts; its time is in the wait for the first byte. */
export const redirectedMedia = countedRequests({
  id: 'redirected-media',
  label: 'redirected segments',
  severity: 'note',
  fits: ({ type, finalUrl, redirectStartMs }) =>
    type === 'media' && (finalUrl !== null || redirectStartMs !== null),
  msOf: ({ redirectStartMs, redirectEndMs }) =>
    redirectStartMs === null || redirectEndMs === null ? null : redirectEndMs - redirectStartMs,
  sentence: (count, meanMs) =>
    `${formatCount(count, 'media request')} went through a redirect first${meanMs > 0 ? `, for ${lasting(meanMs)} on average` : ''}, which is part of the wait for the first byte`,
  fix: 'name the final server in the manifest (BaseURL)',
});

/** ms. On an open connection a browser sends a request within 3 ms in the median; of a busy machine within 20 ms. */
const HELD_BACK_MS = 20;
const HELD_BACK_SHARE = 1 / 3;

/**
 * Before a request to another origin with headers of the page's own, such as CMCD, the browser sends an OPTIONS request (Fetch,
 * CORS-preflight). No timing entry shows it; it is in the wait of a request on a connection that was open.
 */
export const preflights: Diagnostic = {
  id: 'preflights',
  label: 'requests that wait for a preflight',
  watch() {
    let [all, held, sumMs, firstMs] = [0, 0, 0, Infinity];
    return {
      see(event) {
        if (event.kind !== 'request' || event.type !== 'media' || event.connectionReused !== true) return;
        const { fetchStartMs, requestStartMs, firstByteMs } = event;
        if (fetchStartMs === null || requestStartMs === null || firstByteMs === null) return;
        all += 1;
        const heldMs = requestStartMs - fetchStartMs;
        if (heldMs < Math.max(HELD_BACK_MS, (firstByteMs - fetchStartMs) * HELD_BACK_SHARE)) return;
        held += 1;
        sumMs += heldMs;
        firstMs = Math.min(firstMs, event.atMs);
      },
      findings() {
        if (held < 3 || held <= all / 2) return [];
        const sentence = `${held} of ${formatCount(all, 'media request')} on open connections were held back for ${lasting(sumMs / held)} on average, as before a preflight (OPTIONS)`;
        const fix =
          'send CMCD in the query instead of headers, or let the server answer with Access-Control-Max-Age';
        return [{ id: 'preflights', severity: 'note', sentence, fix, atMs: firstMs }];
      },
    };
  },
};

/** No entry for the answer, or several that fit it: better no timing than the timing of another request. */
export const noTimingEntry = countedRequests({
  id: 'no-timing-entry',
  label: 'answers without a timing entry of their own',
  severity: 'note',
  fits: ({ missing: { protocol }, outcome }) =>
    protocol === 'range-ambiguous' || (outcome === 'ok' && protocol === 'no-entry'),
  sentence: (count) =>
    `Protocol and phases of ${formatCount(count, 'request')} are unknown: the browser has no timing entry for them, or several alike`,
  fix: null,
});

/** Chromium names no protocol for a byte range that it asks for through its cache. */
export const rangeCache = countedRequests({
  id: 'range-cache',
  label: 'byte ranges asked for through the cache',
  severity: 'warning',
  fits: ({ missing }) => missing['protocol'] === 'range-cache',
  sentence: (count) =>
    `The browser asked for ${formatCount(count, 'byte range')} through its cache, so the protocol is unknown`,
  fix: 'choose the preset Experiment, which bypasses the cache, or let the origin send Cache-Control: no-store',
});

/** RFC 9110 §14.2: a server may ignore Range and answer 200 with all of it; each segment then costs the whole file. */
export const rangeIgnored = countedRequests({
  id: 'range-ignored',
  label: 'servers that ignore Range',
  severity: 'warning',
  fits: ({ range, status }) => range !== null && status === 200,
  sentence: (count) =>
    `The server ignores Range: ${formatCount(count, 'request')} for a part of a file got the whole file (status 200 instead of 206)`,
  fix: 'use a server that answers byte ranges, or a file for each segment',
});
