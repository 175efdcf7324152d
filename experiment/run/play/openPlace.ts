import { statSync } from 'node:fs';
import { cellOrigin, type CellOrigin, liveOrigin } from './cellOrigin.ts';
import { linkedPlace } from './linkedPlace.ts';
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
import { otherRuns } from '../lock/machineRuns.ts';
import { calmFrames } from '../../../lab/machine/calmFrames.ts';
import { watchMachine, type MachineWatch } from '../../../lab/machine/watchMachine.ts';

/** @throws SessionFailure when the laboratory could not make it */
export async function openPlace(plan: ComparePlan, cell: CompareCell): Promise<Place> {
  if (cell.link !== null) return linkedPlace(plan, cell, cell.link);
  const shared = plan.sharedBy?.[sharedKey(cell)] ?? plan.shared;
  if (shared === null) throw new Error(`${cell.id} has neither a link nor an origin`);
  const live = cell.live ? await liveOrigin(plan, cell, cell.live) : null;
  const origin = { ...shared, ...live?.address };
  const place = {
    ...sharedPlace({ ...origin, ...trustedOf(plan) }, programOf(plan, cell), cell),
    ...(plan.instrumented && spoken(origin, cellOrigin(plan.instrumented, cell))),
    ...(live && { ready: live.ready, leave: live.leave }),
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
function spoken({ transportLogFile: file }: SharedOrigin, { facts }: CellOrigin): Partial<Place> {
  const { origin, ...words } = facts;
  const tcp = { ...origin.tcp, initialWindowPackets: null };
  return {
    facts: () => Promise.resolve({ ...words, tcpController: tcp.controller, origin: { ...origin, tcp } }),
    ...(file !== undefined && {
      transportLog: { file, fromByte: statSync(file, { throwIfNoEntry: false })?.size ?? 0, isShared: true },
    }),
  };
}

const trustedOf = ({
  trustedSpki = null,
}: Pick<ComparePlan, 'trustedSpki'>): { trustedSpki: string | null } => ({
  trustedSpki,
});

const NEVER = new Promise<never>(() => {});

/** One origin on loopback for all sessions, or a stream anywhere. */
function sharedPlace(
  shared: SharedOrigin & { readonly trustedSpki: string | null },
  executablePath: string,
  cell: CompareCell,
): Place {
  const own = isOwn(cell);
  return {
    appUrl: shared.appUrl,
    mpdUrl: own ? `https://${cell.id}.${ORIGIN_HOST}:${shared.httpsPort}${cell.mpd}` : cell.mpd,
    browser: {
      executablePath,
      spkiSha256Base64: own ? shared.spkiSha256Base64 : shared.trustedSpki,
      hostRules: own ? `MAP *.${ORIGIN_HOST} 127.0.0.1` : null,
    },
    ready: () => Promise.resolve(null),
    brokeDown: NEVER,
    facts: () => Promise.resolve({}),
    leave: () => Promise.resolve(),
  };
}
