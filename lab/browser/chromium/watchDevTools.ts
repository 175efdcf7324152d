import type { Page } from '@playwright/test';
import type { RequestWatch } from '../browser.ts';
import type { DevToolsResponse } from '../../../src/telemetry/join/transportOfBrowser.ts';

type Draft = { -readonly [Key in keyof DevToolsResponse]: DevToolsResponse[Key] };

/** To see every request, call it before the page asks for anything. Ends with the page. */
export async function watchDevTools(page: Page): Promise<RequestWatch> {
  const devTools = await page.context().newCDPSession(page);
  const open = new Map<string, Draft>();
  const all: Draft[] = [];
  let tickOffsetMs = 0;
  devTools.on('Network.requestWillBeSent', ({ requestId, request, wallTime, timestamp }) => {
    // The event of a redirect has the same id: it goes on with the same request.
    if (open.has(requestId)) return;
    tickOffsetMs = (wallTime - timestamp) * 1000;
    const draft: Draft = { ...NOTHING_YET, ...pick(request), startUnixMs: wallTime * 1000 };
    open.set(requestId, draft);
    all.push(draft);
  });
  devTools.on('Network.responseReceived', ({ requestId, response }) => {
    const draft = open.get(requestId);
    const cached = response.fromDiskCache || response.fromPrefetchCache || response.fromServiceWorker;
    if (!draft || cached) return;
    draft.alternateProtocolUsage = response.alternateProtocolUsage ?? null;
    draft.protocol = response.protocol ?? null;
    draft.connectionId = response.connectionId > 0 ? String(response.connectionId) : null;
    draft.connectionReused = response.connectionReused;
  });
  const end = (requestId: string, timestamp: number, errorText: string | null): void => {
    const draft = open.get(requestId);
    if (draft) Object.assign(draft, { endUnixMs: timestamp * 1000 + tickOffsetMs, errorText });
    open.delete(requestId);
  };
  devTools.on('Network.loadingFinished', (event) => end(event.requestId, event.timestamp, null));
  devTools.on('Network.loadingFailed', (event) => end(event.requestId, event.timestamp, event.errorText));
  await devTools.send('Network.enable');
  return { responses: () => all };
}

const pick = ({ url, method }: { url: string; method: string }) => ({ url, method });

const NOTHING_YET = {
  endUnixMs: null,
  receivedBytes: null,
  alternateProtocolUsage: null,
  protocol: null,
  connectionId: null,
  connectionReused: null,
  errorText: null,
};
