import { createSessionFold, type SessionSummary } from '../../../analysis/sessionSummary.ts';
import type { PageTrial } from '../../../shared/assignment.ts';
import type { RequestEvent } from '../../event.ts';
import type { SessionEvent } from '../../schema/sessionLog.ts';
import type { Beacon } from '../../schema/trialBeacon.ts';
import { onEvents } from '../onEvents.ts';
import { parseUrl } from '../parseUrl.ts';
import type { SessionControl } from '../telemetry.ts';
import { cohort, isSampled, mustBeId } from './cohort.ts';
import { openSpool, type Spool } from './spool.ts';

/** What a page says of itself to report its sessions. */
export interface TrialOptions {
  /** As `pitwall trial serve` prints it. */
  readonly trial: PageTrial;
  /** Address of the collector, which ends with `/events`. */
  readonly url: string;
  /** Ids of the steering address, 1 to 128 visible ASCII characters. The collector stores hashes of them. */
  readonly session: string;
  readonly viewer?: string;
  /** Whether the viewer has agreed. Without it nothing is sent, and nothing is written to the device. */
  readonly consent: boolean;
  /** Share of the sessions that report, above 0 to 1; absent: all. Give every arm the same. */
  readonly share?: number;
  /** Class of the network in your words, such as `mobile`: 1 to 32 characters of a-z, 0-9 and -. */
  readonly networkClass?: string;
}

/**
 * What became of a beacon. `kept`: it waits on the device and is sent again later, also after a reload. `refused`: the collector
 * takes it never. The others say why there is none; `no-session`: nobody asked to play, or it played before it was recorded.
 */
export type Sending = 'sent' | 'kept' | 'refused' | 'no-consent' | 'save-data' | 'not-sampled' | 'no-session';

/** Reports a session; `reportTrial(telemetry, options)` returns it. */
export interface TrialReporter {
  /** Says that the viewer has agreed, or not any more: then what waits on the device is deleted. */
  setConsent(isGiven: boolean): void;
  /** Sends the session as it is now. A page need not call it: it happens when the page is hidden. */
  send(): Promise<Sending>;
  /** Sends for the last time and removes the listeners. Call it after `telemetry.stop()`. */
  stop(): Promise<Sending>;
}

type Recorded = Pick<SessionControl, 'subscribe' | 'openEvents' | 'exportLog' | 'header' | 'nowMs'>;

/** Hiding a page and leaving it come together. */
const MIN_APART_MS = 1000;

/**
 * Reports a recorded session to the collector of a trial, whenever the page is hidden: a line of less than 1 kB that replaces the one
 * before. What could not be sent waits on the device for seven days, at most 20 sessions. Where the viewer saves data (Save-Data),
 * nothing is sent.
 * @throws Error in one sentence for an option that the collector would refuse
 */
export function reportTrial(telemetry: Recorded, options: TrialOptions): TrialReporter {
  mustBeUsable(options);
  const { trial, session, share = 1 } = options;
  const isWanted = isSampled(trial, session, share);
  const spool = openSpool(trial.name);
  const facts = foldSession(telemetry, trial);
  let hasConsent = options.consent;
  let lastMs = -Infinity;

  const whyNot = (): Sending | null => {
    if (!hasConsent) return 'no-consent';
    if (savesData()) return 'save-data';
    return isWanted ? null : 'not-sampled';
  };
  const send = async (): Promise<Sending> => {
    const before = whyNot();
    if (before !== null) return before;
    lastMs = performance.now();
    // No await where all is there: a page that goes away runs nothing after it.
    const summary = facts.isWhole() ? facts.summarize() : await facts.whole.then(facts.summarize);
    const withdrawn = whyNot();
    if (withdrawn !== null) return withdrawn;
    if (summary === null) return 'no-session';
    const line = JSON.stringify(beaconOf(summary, options));
    spool.keep(session, line);
    return deliver(options.url, spool, { session, line });
  };
  const sendAgain = async (): Promise<void> => {
    for (const waiting of spool.list(Date.now())) {
      if (waiting.session === session) continue;
      if (whyNot() !== null || (await deliver(options.url, spool, waiting)) === 'kept') return;
    }
  };
  const off = onEvents(document, ['visibilitychange'], () => {
    if (document.visibilityState === 'hidden' && performance.now() - lastMs > MIN_APART_MS) void send();
  });
  const offHide = onEvents(globalThis, ['pagehide'], () => {
    if (performance.now() - lastMs > MIN_APART_MS) void send();
  });
  void sendAgain();
  return {
    setConsent(isGiven) {
      hasConsent = isGiven;
      if (isGiven) void sendAgain();
      else spool.clear();
    },
    send,
    stop() {
      off();
      offHide();
      facts.stop();
      return send();
    },
  };
}

function mustBeUsable({ trial, url, session, viewer, share = 1, networkClass }: TrialOptions): void {
  mustBeId('session', session);
  if (viewer !== undefined) mustBeId('viewer', viewer);
  if (!/^[0-9a-f]{64}$/.test(trial.key)) throw new Error('"trial" is what "pitwall trial serve" prints.');
  if (!/^https?:$/.test(parseUrl(url)?.protocol ?? ''))
    throw new Error(`"url" takes the http or https address of a collector, and not ${url}.`);
  if (!(share > 0 && share <= 1)) throw new Error(`"share" takes a number above 0 to 1, and not ${share}.`);
  if (networkClass !== undefined && !/^[a-z0-9-]{1,32}$/.test(networkClass))
    throw new Error(`"networkClass" takes 1 to 32 characters of a-z, 0-9 and -, and not ${networkClass}.`);
}

/** The viewer's wish, where the browser tells it (Save Data API; media query `prefers-reduced-data`). */
function savesData(): boolean {
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  return connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches;
}

/** Folds what was recorded before, of earlier page loads, too, and what comes. */
function foldSession(telemetry: Recorded, trial: PageTrial) {
  const fold = createSessionFold(pathwayFinder(trial));
  let early: SessionEvent[] | null = [];
  const off = telemetry.subscribe((event) => {
    if (early) early.push(event);
    else fold.add(event);
  });
  // Where storage fails, what comes from now on is all that is known.
  const stored = telemetry.exportLog().then(
    ({ events }) => events,
    () => [],
  );
  const whole = stored.then((events) => {
    // What is unfinished comes again when it has ended.
    const later = [...(early ?? []), ...telemetry.openEvents()];
    const known = new Set(later.map(({ id }) => id));
    for (const event of events) if (!known.has(event.id)) fold.add(event);
    for (const event of early ?? []) fold.add(event);
    early = null;
  });
  return {
    whole,
    isWhole: () => early === null,
    summarize: () =>
      fold.summarize(telemetry.header(), { open: telemetry.openEvents(), nowMs: telemetry.nowMs() }),
    stop: off,
  };
}

/** Finds the arm from whose base URL a request is, the longest first; else the service location that dash.js names. */
function pathwayFinder({ arms }: PageTrial): (request: RequestEvent) => string | null {
  const places = arms
    .map(({ pathway, baseUrl }) => ({ pathway, base: parseUrl(baseUrl)?.href ?? '' }))
    .filter(({ base }) => base !== '')
    .sort((one, other) => other.base.length - one.base.length);
  return ({ url, serviceLocation }) =>
    places.find(({ base }) => url.startsWith(base))?.pathway ??
    arms.find(({ pathway }) => pathway === serviceLocation)?.pathway ??
    null;
}

function beaconOf(summary: SessionSummary, options: TrialOptions): Beacon {
  const { trial, session, viewer = null, networkClass = null } = options;
  return {
    schema: 'pitwall-beacon/1',
    trial: trial.name,
    session,
    viewer,
    ...summary,
    h3Bytes: Math.round(summary.h3Bytes),
    tcpBytes: Math.round(summary.tcpBytes),
    cohort: cohortOf(trial, session, viewer),
    networkClass,
  };
}

/** null where only the server knows it: of a switchback, and of a trial by viewer whose viewer has no id. */
function cohortOf(trial: PageTrial, session: string, viewer: string | null): string | null {
  const { kind } = trial.unit;
  const id = kind === 'viewer' ? viewer : session;
  return kind === 'switchback' || id === null ? null : cohort(trial, id);
}

/** Sends a beacon, also while the page goes away (`keepalive`), as a request that needs no preflight. */
async function deliver(
  url: string,
  spool: Spool,
  { session, line }: { readonly session: string; readonly line: string },
): Promise<Sending> {
  const answer = await fetch(url, {
    method: 'POST',
    body: line,
    keepalive: true,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  }).catch(() => null);
  if (answer?.ok) {
    spool.drop(session, line);
    return 'sent';
  }
  // The network, a server that is busy or away, or a proxy before it: later.
  if (answer === null || answer.status === 429 || answer.status >= 500) return 'kept';
  spool.drop(session, line);
  const reason = await answer.text().catch(() => '');
  console.warn(`Pitwall: the collector of the trial refused a session (${answer.status}):`, reason);
  return 'refused';
}
