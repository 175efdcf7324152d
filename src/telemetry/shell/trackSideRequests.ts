import type { Recording } from './recording.ts';
import type { TimingEntry } from '../timingEntry.ts';
import { requestDraft, type RequestSurroundings } from '../requestDraft.ts';
import type { RequestEvent } from '../event.ts';
import { onPlayer, type Surroundings } from './tracker.ts';

/** Requests that dash.js makes past its loader, known by their URL alone. */
export interface SideRequests {
  /** Records the entries that are such requests, and says which they were. */
  take(entries: readonly TimingEntry[]): readonly TimingEntry[];
  dispose(): void;
}

interface Expected {
  readonly type: RequestEvent['type'];
  readonly method: string;
}

interface Timing {
  readonly schemeIdUri?: string;
  /** dash.js' parser makes a Date of what looks like one: the scheme "direct" (parser/matchers/DateTimeMatcher.js). */
  readonly value?: string | Date;
}

/**
 * Clock servers (UTCTiming, controllers/TimeSyncController.js) and licences (protection/ProtectionController.js): dash.js
 * sends them with an XMLHttpRequest of its own, where no interceptor runs. Their URLs are known before, and each leaves
 * a Resource Timing entry, also when it fails; so they are recorded when they end.
 */
export function trackSideRequests(
  { player, recording }: Pick<Surroundings, 'player'> & { recording: Pick<Recording, 'record'> },
  around: RequestSurroundings,
): SideRequests {
  const sinceMs = performance.now();
  const expected = new Map<string, Expected>();
  const expect = ({ schemeIdUri = '', value = '' }: Timing): void => {
    // Only these schemes name URLs. A throw here would end in dash.js, which then loads nothing.
    if (typeof value !== 'string' || !schemeIdUri.includes(':http-')) return;
    const method = schemeIdUri.includes('http-head') ? 'HEAD' : 'GET';
    // ISO/IEC 23009-1 allows a list separated by white space.
    for (const url of value.match(/\S+/g) ?? []) expected.set(placeOf(url), { type: 'other', method });
  };
  const off = onPlayer<{ url?: string; data?: { UTCTiming?: readonly Timing[] } | null }>(player, {
    manifestLoaded({ data }) {
      const { utcSynchronization } = player.getSettings().streaming ?? {};
      const { scheme, value } = utcSynchronization?.defaultTimingSource ?? {};
      expect({ schemeIdUri: scheme ?? '', value: value ?? '' });
      data?.UTCTiming?.forEach(expect);
    },
    public_licenseRequestSending({ url }) {
      if (url) expected.set(placeOf(url), { type: 'license', method: 'POST' });
    },
  });
  return {
    take(entries) {
      const mine = entries.filter(
        ({ name, startTime }) => startTime >= sinceMs && expected.has(placeOf(name)),
      );
      for (const entry of mine) {
        const kind = expected.get(placeOf(entry.name));
        if (kind) recording.record(draftOf(entry, kind, around));
      }
      return mine;
    },
    dispose: off,
  };
}

/** dash.js adds query parameters (CMCD to licences). */
function placeOf(url: string): string {
  const parsed = URL.parse(url, document.baseURI);
  return parsed ? parsed.origin + parsed.pathname : url;
}

function draftOf(entry: TimingEntry, { type, method }: Expected, around: RequestSurroundings) {
  const status = entry.responseStatus ?? 0;
  const ended = status >= 400 ? 'http-error' : 'ok';
  return requestDraft(
    {
      url: entry.name,
      method,
      range: null,
      attempt: 0,
      askedMs: entry.startTime,
      purpose: { ...NOTHING, type },
      answer: {
        outcome: status > 0 ? ended : 'network-error',
        status,
        finalUrl: '',
        headers: {},
        receivedBytes: entry.decodedBodySize > 0 ? entry.decodedBodySize : null,
        endMs: entry.responseEnd,
      },
      timing: entry,
    },
    around,
  );
}

const NOTHING = {
  mediaType: null,
  segment: null,
  mediaStartMs: null,
  mediaDurationMs: null,
  periodId: null,
  representationId: null,
  rung: null,
  bitrateKbps: null,
  serviceLocation: null,
};
