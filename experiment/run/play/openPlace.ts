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

/** @throws SessionFailure when the laboratory could not make it */
export async function openPlace(plan: ComparePlan, cell: CompareCell): Promise<Place> {
  if (cell.link !== null) return linkedPlace(plan, cell, cell.link);
  const shared = plan.sharedBy?.[sharedKey(cell)] ?? plan.shared;
  if (shared === null) throw new Error(`${cell.id} has neither a link nor an origin`);
  const live = cell.live ? await liveOrigin(plan, cell, cell.live) : null;
  const origin = { ...shared, ...live?.address };
  return {
    ...sharedPlace(origin, programOf(plan, cell), cell),
    ...mediaElsewhere(plan, cell),
    ...(plan.instrumented && spoken(origin, cellOrigin(plan.instrumented, cell))),
    ...(live && { ready: live.ready, leave: live.leave }),
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

const mediaElsewhere = ({ mediaUrls }: ComparePlan, { mpd }: CompareCell): Partial<Place> => ({
  mediaUrls: mediaUrls?.[mpd] ?? [],
});

const NEVER = new Promise<never>(() => {});

/** One origin on loopback for all sessions, or a stream anywhere. */
function sharedPlace(shared: SharedOrigin, executablePath: string, cell: CompareCell): Place {
  const own = isOwn(cell);
  return {
    appUrl: shared.appUrl,
    mpdUrl: own ? `https://${cell.id}.${ORIGIN_HOST}:${shared.httpsPort}${cell.mpd}` : cell.mpd,
    browser: {
      executablePath,
      spkiSha256Base64: own ? shared.spkiSha256Base64 : null,
      hostRules: own ? `MAP *.${ORIGIN_HOST} 127.0.0.1` : null,
    },
    ready: () => Promise.resolve(null),
    brokeDown: NEVER,
    facts: () => Promise.resolve({}),
    leave: () => Promise.resolve(),
  };
}
