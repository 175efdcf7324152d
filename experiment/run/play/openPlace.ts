import { cellOrigin, type CellOrigin, liveOrigin } from './cellOrigin.ts';
import { linkedPlace } from './linkedPlace.ts';
import { fromHereOn } from './originEvidence.ts';
import {
  isOwn,
  ORIGIN_HOST,
  programOf,
  sharedKey,
  type CompareCell,
  type ComparePlan,
  type SharedOrigin,
} from './plan.ts';
import type { Place } from './place.ts';
import { during, SessionFailure } from './sessionFailure.ts';
import { serversRunning, watchServers } from '../../../lab/caddy/watchServers.ts';

/** @throws SessionFailure when the laboratory could not make it */
export async function openPlace(plan: ComparePlan, cell: CompareCell): Promise<Place> {
  if (cell.link !== null) return linkedPlace(plan, cell, cell.link);
  const shared = plan.sharedBy?.[sharedKey(cell)] ?? plan.shared;
  if (shared === null) throw new Error(`${cell.id} has neither a link nor an origin`);
  await during('origin-did-not-answer', serversRunning([shared.pidFile]));
  const live = cell.live ? await liveOrigin(plan, cell, cell.live) : null;
  const origin = { ...shared, ...live?.address };
  // The page comes from the one that sessions share, also where the stream does not.
  const watch = watchServers([...new Set([shared.pidFile, origin.pidFile])]);
  return {
    ...sharedPlace(origin, programOf(plan, cell), cell),
    ...(plan.instrumented && spoken(origin, cellOrigin(plan.instrumented, cell))),
    ...(live && { ready: live.ready }),
    brokeDown: watch.down.then((why) => new SessionFailure('origin-did-not-answer', why)),
    async leave() {
      watch.stop();
      await live?.leave();
    },
  };
}

/** The facts of an instrumented origin that sessions share. TCP's first window is that of the machine's routes. */
function spoken({ transportLogFile: file }: SharedOrigin, { facts }: CellOrigin): Partial<Place> {
  const { origin, ...words } = facts;
  const tcp = { ...origin.tcp, initialWindowPackets: null };
  return {
    facts: () => Promise.resolve({ ...words, tcpController: tcp.controller, origin: { ...origin, tcp } }),
    ...(file !== undefined && {
      transportLog: { ...fromHereOn(file), isShared: true },
    }),
  };
}

/** One origin on loopback for all sessions, or a stream anywhere. */
function sharedPlace(
  shared: SharedOrigin,
  executablePath: string,
  cell: CompareCell,
): Omit<Place, 'brokeDown' | 'leave'> {
  const own = isOwn(cell);
  const host = `${cell.id}.${ORIGIN_HOST}`;
  const { accessLogFile: file } = shared;
  return {
    appUrl: shared.appUrl,
    mpdUrl: own ? `https://${host}:${shared.httpsPort}${cell.mpd}` : cell.mpd,
    ...(own && file !== undefined && { accessLogs: [{ ...fromHereOn(file), host }] }),
    browser: {
      executablePath,
      spkiSha256Base64: own ? shared.spkiSha256Base64 : null,
      hostRules: own ? `MAP *.${ORIGIN_HOST} 127.0.0.1` : null,
    },
    ready: () => Promise.resolve(null),
    facts: () => Promise.resolve({}),
  };
}
