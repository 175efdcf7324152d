import { setTimeout as pause } from 'node:timers/promises';
import type { Figure } from '../figure.ts';
import { bulkPath } from '../load/bulkFolder.ts';
import { beginHandshakes, runLoad } from '../load/runLoad.ts';
import { plainTable } from '../../node/textTable.ts';
import { originNames, withBothOrigins, type BothOrigins, type OriginName } from './bothOrigins.ts';
import type { OriginSection } from './originSection.ts';
import { processUse, whileWatching } from './processUse.ts';

interface Measured {
  readonly origin: OriginName;
  readonly beforeBytes: number;
  readonly peakBytes: number;
  readonly afterBytes: number;
  /** Clients that came with a new connection while the flood went on, and those of them that got no answer. */
  readonly others: number;
  readonly failures: number;
  /** The slowest of them, handshake and answer. */
  readonly slowestMs: number;
  readonly cpuSeconds: number;
}

const HANDSHAKES = 9000;
const AFTER_S = 60;
const MEGABYTE = 1e6;
/** A TLS session and its keys take some 50 kB, and 64 handshakes may begin without proof of their address. */
const MAX_GROWTH_MB = 20;

/** What QUIC handshakes that nobody finishes cost, and whether others are served meanwhile. */
export const floodSection: OriginSection = {
  id: 'flood',
  label: `${HANDSHAKES} unfinished QUIC handshakes, and memory ${AFTER_S} s after, on loopback`,
  async measure({ quick, say }) {
    const measured: Measured[] = [];
    for (const origin of originNames) {
      say(origin);
      measured.push(await withBothOrigins((origins) => measure(origins, { origin, quick })));
    }
    return { text: table(measured), figures: measured.flatMap(figuresOf), raw: measured };
  },
};

async function measure(
  origins: BothOrigins,
  { origin, quick }: { origin: OriginName; quick: boolean },
): Promise<Measured> {
  const { pid, httpsPort, host } = origins[origin];
  if (pid === null) throw new Error(`${origin} has ended`);
  const at = { host, address: `127.0.0.1:${httpsPort}` };
  // The first connection makes what all later ones share.
  await oneMore(at);
  const before = processUse(pid);
  const { result: others, peakBytes } = await whileWatching(pid, duringFlood(at, quick ? 900 : HANDSHAKES));
  await pause((quick ? 5 : AFTER_S) * 1000);
  const after = processUse(pid);
  return {
    origin,
    beforeBytes: before.residentBytes,
    peakBytes,
    afterBytes: after.residentBytes,
    others: others.length,
    failures: others.filter((tookMs) => tookMs === null).length,
    slowestMs: Math.max(0, ...others.flatMap((tookMs) => tookMs ?? [])),
    cpuSeconds: after.cpuSeconds - before.cpuSeconds,
  };
}

interface Target {
  readonly host: string;
  readonly address: string;
}

/** How long each client took that came meanwhile; null without an answer. */
async function duringFlood(at: Target, handshakes: number): Promise<(number | null)[]> {
  let isOver = false;
  const flood = beginHandshakes(at, handshakes).finally(() => (isOver = true));
  const others: (number | null)[] = [];
  while (!isOver) others.push(await oneMore(at));
  await flood;
  // What it left is still there.
  others.push(await oneMore(at));
  return others;
}

async function oneMore(at: Target): Promise<number | null> {
  const asked = { protocol: 'h3', path: bulkPath('small.bin'), requests: 1, seconds: 10 } as const;
  const { opened, answers } = await runLoad({ ...at, ...asked });
  const [connection, answer] = [opened[0], answers[0]];
  return connection && answer?.isWhole ? answer.atUnixMs - connection.openingAtUnixMs : null;
}

function table(all: readonly Measured[]): string {
  const rows = all.map((each) => [
    each.origin,
    ...[each.beforeBytes, each.peakBytes, each.afterBytes].map((bytes) => (bytes / MEGABYTE).toFixed(1)),
    `${each.failures} of ${each.others}`,
    each.slowestMs.toFixed(0),
    each.cpuSeconds.toFixed(1),
  ]);
  return plainTable(
    ['', 'MB before', 'MB at most', 'MB after', 'others failed', 'slowest ms', 'CPU s'],
    rows,
  );
}

const figuresOf = ({ origin, failures, peakBytes, beforeBytes }: Measured): Figure[] => {
  const isOurs = origin === 'instrumented';
  return [
    {
      id: `flood-memory-${origin}`,
      label: `${origin}: memory that the flood took`,
      unit: 'MB',
      value: (peakBytes - beforeBytes) / MEGABYTE,
      interval: null,
      goalMax: isOurs ? MAX_GROWTH_MB : null,
    },
    {
      id: `flood-others-${origin}`,
      label: `${origin}: others without an answer`,
      unit: '',
      value: failures,
      interval: null,
      goalMax: isOurs ? 0 : null,
    },
  ];
};
