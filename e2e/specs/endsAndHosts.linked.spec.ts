import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readNetLogFile } from '../../lab/browser/chromium/readNetLogFile.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { instrumentedMissing } from '../../lab/origin/instrumentedMissing.ts';
import { readTransportLog, type TransportSample } from '../../lab/origin/readTransportLog.ts';
import type { Profile } from '../../src/network/profile.ts';
import { withTransport } from '../../src/telemetry/join/joinTransport.ts';
import { transportOfNetLog } from '../../src/telemetry/join/transportOfBrowser.ts';
import { scanNetLog } from '../../src/telemetry/netlog/netLogEvents.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { eventsOf } from '../fixtures/logEvents.ts';
import { DEMO_MPD, playLinkedCell } from '../fixtures/playLinkedCell.ts';
import { expect, test } from '../fixtures/test.ts';

const missing = linkMissing() ?? instrumentedMissing();
test.skip(missing !== null && !process.env['CI'], missing ?? '');

const EVERY = 5;
const profile: Profile = {
  id: 'ends',
  label: 'Ends',
  paper: 'none',
  repeat: false,
  queue: { kind: 'droptail', bdp: 1 },
  steps: [{ durationMs: 1, downKbps: 8000, upKbps: null, rttMs: 30, lossDown: 0, lossUp: 0 }],
};

/** A line of the access log, as the origin wrote it. */
interface Line {
  readonly ts: number;
  readonly duration: number;
  readonly connection: number;
  readonly request: { readonly host: string; readonly uri: string; readonly method: string };
}

interface Played {
  /** With the races of its NetLog. */
  readonly log: SessionLog;
  /** Requests, in the order in which the origin had them. */
  readonly lines: readonly Line[];
  readonly samples: readonly TransportSample[];
  /** Connections on which the browser received GOAWAY. */
  readonly leftByServer: number;
}

const play = (folder: string, ends: string): Promise<Played> =>
  playLinkedCell(
    folder,
    {
      cell: { id: ends, rule: 'throughput', transport: 'h3-racing', mpd: DEMO_MPD, ends, hosts: 'segment-2' },
      profile,
      // On a machine that is busy with other things, eight segments came in 8 s.
      seconds: 14,
    },
    async ({ log, place, netLogFile }) => {
      const facts = await readNetLogFile(netLogFile);
      if (!facts.ok) throw new Error(facts.error);
      const [accessLog] = place.accessLogs!;
      const lines = (await readFile(accessLog!.file, 'utf8')).trim().split('\n');
      return {
        log: withTransport(log, 'netlog', transportOfNetLog(log, facts.value)),
        lines: lines
          .map((line) => JSON.parse(line) as Line)
          .sort((one, other) => one.ts - one.duration - (other.ts - other.duration)),
        samples: readTransportLog(place.transportLog!.file),
        leftByServer: leftIn(await readFile(netLogFile, 'utf8')),
      };
    },
  );

function leftIn(netLog: string): number {
  const left = new Set<number>();
  const scanner = scanNetLog({
    wanted: new Set(['HTTP3_GOAWAY_RECEIVED', 'HTTP2_SESSION_RECV_GOAWAY']),
    onEvent: ({ sourceId }) => void left.add(sourceId),
  });
  scanner.push(netLog);
  scanner.end();
  return left.size;
}

const causesOf = ({ log }: Played): string[] =>
  eventsOf(log, 'transport').flatMap(({ requestId, races }) =>
    requestId === null ? [] : races.flatMap(({ cause }) => cause ?? []),
  );

/** Segments come in turn from both names, and everything else from the first. */
function expectHosts({ lines, log }: Played): void {
  const first = new URL(log.environment.mpdUrl!).hostname;
  const segments = lines.filter(({ request }) => request.uri.endsWith('.m4s'));
  expect(segments.length).toBeGreaterThanOrEqual(2 * EVERY);
  for (const { request } of lines) {
    const number = Number(/(\d+)\.m4s$/.exec(request.uri)?.[1] ?? 1);
    const name = request.host.replace(/:\d+$/, '');
    expect(name, request.uri).toBe(number % 2 === 1 ? first : `media-2.${first}`);
  }
}

test('media come from two hosts, and every fifth request is the last of its connection', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-ends-'));
  try {
    const [ended, never] = await Promise.all([play(folder, `requests-${EVERY}`), play(folder, 'never')]);
    for (const each of [ended, never]) expectHosts(each);
    const connections = ({ lines }: Played) => new Set(lines.map(({ connection }) => connection));
    console.log(
      [ended, never].map(
        (each) =>
          `${each.lines.length} requests on ${connections(each).size} connections, ${each.leftByServer} with GOAWAY; ${causesOf(each).join(', ')}`,
      ),
    );
    const last = ended.lines.filter((_, index) => index % EVERY === EVERY - 1);
    expect(new Set(last.map(({ connection }) => connection)).size).toBe(ended.leftByServer);
    expect(never.leftByServer).toBe(0);
    // The origin has closed what it left, and opened nothing that it did not log.
    const closed = new Set(
      ended.samples.flatMap(({ event, connection }) => (event === 'closed' ? connection : [])),
    );
    for (const { connection } of last.slice(0, -1)) expect(closed).toContain(connection);
    for (const each of [ended, never])
      expect([...connections(each)].filter((id) => !each.samples.some((s) => s.connection === id))).toEqual(
        [],
      );
    expect(causesOf(ended)).toContain('closed-by-server');
    expect(causesOf(never)).not.toContain('closed-by-server');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
