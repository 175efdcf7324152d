import { cellOrigin, type CellOrigin, liveOrigin } from './cellOrigin.ts';
import { openLinkedPlace } from './linkedPlace.ts';
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
import { serversRunning, watchServers } from '../../lab/caddy/watchServers.ts';
import { otherRuns } from './lock/machineRuns.ts';
import { calmFrames } from '../../lab/machine/calmFrames.ts';
import { watchMachine, type MachineWatch } from '../../lab/machine/watchMachine.ts';

/** @throws SessionFailure when the laboratory could not make it */
export async function openPlace(plan: ComparePlan, cell: CompareCell): Promise<Place> {
  if (cell.link !== null) return openLinkedPlace(plan, cell, cell.link);
  const shared = plan.sharedBy?.[sharedKey(cell)] ?? plan.shared;
  if (shared === null) throw new Error(`${cell.id} has neither a link nor an origin`);
  await during('origin-did-not-answer', serversRunning([shared.pidFile]));
  const live = cell.live ? await liveOrigin(plan, cell, cell.live) : null;
  const origin = { ...shared, ...live?.address };
  // The page comes from the one that sessions share, also where the stream does not.
  const watch = watchServers([...new Set([shared.pidFile, origin.pidFile])]);
  const place = {
    ...sharedPlace({ ...origin, ...trustedOf(plan) }, programOf(plan, cell), cell),
    ...mediaElsewhere(plan, cell),
    ...(plan.instrumented && transportFacts(origin, cellOrigin(plan.instrumented, cell))),
    ...(live && { ready: live.ready }),
    brokeDown: watch.down.then((why) => new SessionFailure('origin-did-not-answer', why)),
    async leave() {
      watch.stop();
      await live?.leave();
    },
  };
  return watched(place, plan);
}

/** With the guard of sessions over links: a busy machine makes them slow as well, whoever serves them. */
function watched(place: Place, { rootPid, runsFolder }: Pick<ComparePlan, 'rootPid' | 'runsFolder'>): Place {
  let watching: MachineWatch | null = null;
  return {
    ...place,
    async ready() {
      const dueAtUnixMs = await place.ready();
      watching = watchMachine({ rootPid, otherRuns: () => otherRuns(rootPid, runsFolder).length });
      return dueAtUnixMs;
    },
    async facts(log) {
      const machine = watching?.stop({ ...calmFrames(log), busyDrops: 0 });
      return { ...(await place.facts(log)), ...(machine && { machine }) };
    },
    async leave() {
      watching?.stop({ decodedFrames: 0, droppedFrames: 0, busyDrops: 0 });
      await place.leave();
    },
  };
}

/** The facts of an instrumented origin that sessions share. TCP's first window is that of the machine's routes. */
function transportFacts({ transportLogFile: file }: SharedOrigin, { facts }: CellOrigin): Partial<Place> {
  const { origin, ...words } = facts;
  const tcp = { ...origin.tcp, initialWindowPackets: null };
  return {
    facts: () => Promise.resolve({ ...words, tcpController: tcp.controller, origin: { ...origin, tcp } }),
    ...(file !== undefined && {
      transportLog: { ...fromHereOn(file), isShared: true },
    }),
  };
}

const trustedOf = ({ trustedSpki }: Pick<ComparePlan, 'trustedSpki'>): { trustedSpki: string | null } => ({
  trustedSpki: trustedSpki ?? null,
});

const mediaElsewhere = ({ mediaUrls }: ComparePlan, { mpd }: CompareCell): Partial<Place> => ({
  mediaUrls: mediaUrls?.[mpd] ?? [],
});

/** One origin on loopback for all sessions, or a stream anywhere. */
function sharedPlace(
  shared: SharedOrigin & { readonly trustedSpki: string | null },
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
      spkiSha256Base64: own ? shared.spkiSha256Base64 : shared.trustedSpki,
      hostRules: own ? `MAP *.${ORIGIN_HOST} 127.0.0.1` : null,
    },
    ready: () => Promise.resolve(null),
    facts: () => Promise.resolve({}),
  };
}
