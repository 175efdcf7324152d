import { createReadStream } from 'node:fs';
import { failed, ok, type Result } from '../../../src/shared/result.ts';
import type { NetLogConnection, NetLogFacts } from '../../../src/telemetry/netlog/netLogFacts.ts';
import type { BrowserFacts } from '../browser.ts';
import { createCauseFolds } from '../../../src/telemetry/netlog/foldCauses.ts';
import { createNetLogReader } from '../../../src/telemetry/netlog/readNetLog.ts';

/** Reads a NetLog file of any size, closed or not. A fault is one sentence. */
export async function readNetLogFile(file: string): Promise<Result<BrowserFacts>> {
  let hasPool = false;
  const reader = createNetLogReader({
    ...createCauseFolds(),
    [`${POOL} 1`]: () => void (hasPool = true),
  });
  let beginning = '';
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 1 << 20 })) {
      beginning ||= chunk as string;
      reader.push(chunk as string);
      const refused = reader.refused();
      if (refused !== null) return failed(ONE_LINE.test(beginning) ? LOST_BREAKS : refused);
    }
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code ?? String(fault);
    return failed(`It cannot be read (${code}).`);
  }
  const facts = reader.end();
  if (!facts.ok) return ONE_LINE.test(beginning) ? failed(LOST_BREAKS) : facts;
  return ok({ ...withoutUncounted(facts.value), happyEyeballs: happyEyeballsIn(facts.value, hasPool) });
}

/** Only with HappyEyeballsV3 Chromium has groups of connections, and every race has one. */
const POOL = 'HTTP_STREAM_POOL_GROUP_ALIVE';

const happyEyeballsIn = ({ requests, lacking }: NetLogFacts, hasPool: boolean): boolean | null =>
  lacking.includes(POOL) || requests.every(({ races }) => races.length === 0) ? null : hasPool;

const COUNTS = [
  ['QUIC_SESSION_PACKET_SENT', 'packetsSent'],
  ['QUIC_SESSION_PACKET_RECEIVED', 'packetsReceived'],
  ['QUIC_SESSION_PACKET_LOST', 'packetsLost'],
] as const;

/** Packets that the browser logs under another name are not 0: nobody counted them. */
export function withoutUncounted(facts: NetLogFacts): NetLogFacts {
  const unknown = COUNTS.flatMap(([name, count]) => (facts.lacking.includes(name) ? [[count, null]] : []));
  const changes = Object.fromEntries(unknown) as Partial<NetLogConnection>;
  const connections = [...facts.connections].map(([id, each]) => [id, { ...each, ...changes }] as const);
  return { ...facts, connections: new Map(connections) };
}

const ONE_LINE = /^[^\n]*"constants"[^\n]*"events"/;
const LOST_BREAKS = 'This NetLog has lost its line breaks: Chromium writes each event in a line of its own.';
