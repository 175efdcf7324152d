import { open } from 'node:fs/promises';
import { formatFileError, readPlainFile } from '../../node/files.ts';
import { formatCount } from '../../src/shared/format.ts';
import type { Entry } from '../../src/shared/registry.ts';
import type { Draft, TransportEvent } from '../../src/telemetry/event.ts';
import { netLogClockMs, onClock } from '../../src/telemetry/join/netLogClock.ts';
import { transportOfNetLog } from '../../src/telemetry/join/transportOfBrowser.ts';
import { transportOfPackets, type AnsweredRequest } from '../../src/telemetry/join/transportOfPackets.ts';
import { unknownRaces } from '../../src/telemetry/join/transportSources.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { readNetLogFile } from '../browser/chromium/readNetLogFile.ts';
import { parseAccessLog, type AccessRecord } from '../caddy/accessLog.ts';
import { readPacketFacts } from './readPacketFacts.ts';

/** A transport source that knows races, in a file that was recorded while a session played. */
export interface RaceSource extends Entry {
  readonly id: TransportEvent['source'] & ('netlog' | 'packets');
  /** Whether a file is of this source, by its first bytes. */
  isOwn(beginning: Buffer): boolean;
  /** Reads the races of a session's requests. @throws Error in one sentence that names the file */
  read(file: string, about: SessionFiles): Promise<ReportedRaces>;
}

interface SessionFiles {
  readonly log: SessionLog;
  /** The origin's, by which packets are joined with requests; null: there is none. */
  readonly accessLog: string | null;
}

interface ReportedRaces {
  readonly transport: readonly Draft<TransportEvent>[];
  /** What is unknown or was left out, a sentence each. */
  readonly notes: readonly string[];
  /** Whether a connection without a handshake had none: another browser may call its end otherwise. */
  readonly knowsHandshakes: boolean;
}

const netLog: RaceSource = {
  id: 'netlog',
  label: 'NetLog',
  isOwn: (beginning) => !packets.isOwn(beginning),
  async read(file, { log }) {
    const facts = await readNetLogFile(file);
    if (!facts.ok) throw new Error(`${file}: ${facts.error}`);
    const aheadMs = netLogClockMs(log, facts.value.requests);
    return {
      transport: transportOfNetLog(onClock(log, aheadMs), facts.value),
      notes: [
        ...(aheadMs === 0 ? [] : [`${file}: ${formatClock(aheadMs)}`]),
        ...unknownRaces(facts.value).map((sentence) => `${file}: ${sentence}.`),
      ],
      knowsHandshakes: !facts.value.lacking.includes('QUIC_SESSION_CRYPTO_HANDSHAKE_COMPLETE'),
    };
  },
};

function formatClock(aheadMs: number): string {
  const seconds = (Math.abs(aheadMs) / 1000).toFixed(1);
  return `Its clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of the session; its times are moved by as much.`;
}

/** First bytes of pcap, in either order and with micro- or nanoseconds, and of pcapng. */
const CAPTURES = ['a1b2c3d4', 'd4c3b2a1', 'a1b23c4d', '4d3cb2a1', '0a0d0d0a'];

const packets: RaceSource = {
  id: 'packets',
  label: 'packets',
  isOwn: (beginning) => CAPTURES.includes(beginning.subarray(0, 4).toString('hex')),
  async read(file, { log, accessLog }) {
    if (accessLog === null)
      throw new Error(
        `${file}: Packets do not say which connection carried a request; give the origin's log with --access-log.`,
      );
    const facts = await readPacketFacts(file);
    const transport = transportOfPackets(log, facts, await readAnswers(accessLog));
    const outcomes = transport.flatMap(({ races }) => races.map(({ outcome }) => outcome));
    const unknown = outcomes.filter((outcome) => outcome === 'unknown').length;
    return {
      transport,
      notes: [
        ...facts.notes,
        ...facts.lacking.map((sentence) => `${file}: ${sentence}`),
        ...(unknown > 0 ? [`${file}: ${formatUnknown(unknown, facts.lacking.length > 0)}`] : []),
      ],
      knowsHandshakes: true,
    };
  },
};

const formatUnknown = (count: number, isLacking: boolean): string =>
  `How ${formatCount(count, 'race')} ended is unknown: ${isLacking ? 'packets are missing' : 'nothing in the capture taught the browser that the server has h3'}.`;

/** Every source of races that is a file. */
export const raceSources: readonly RaceSource[] = [packets, netLog];

/** Returns the source of a file, by its first bytes. @throws Error in one sentence that names the file */
export async function raceSourceOf(file: string): Promise<RaceSource> {
  const beginning = await firstBytes(file);
  return raceSources.find((source) => source.isOwn(beginning))!;
}

const MAGIC_BYTES = 4;

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file).catch((error: unknown) => {
    throw new Error(formatFileError(file, error));
  });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAGIC_BYTES), 0, MAGIC_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw new Error(formatFileError(file, error), { cause: error });
  } finally {
    await handle.close();
  }
}

/** Reads what an origin answered. @throws Error in one sentence that names the file */
export async function readAnswers(file: string): Promise<AnsweredRequest[]> {
  const text = await readPlainFile(file).catch((error: unknown) => {
    throw new Error(formatFileError(file, error));
  });
  try {
    const records = parseAccessLog(text);
    if (records.length === 0 && text.trim() !== '') throw new TypeError('not one whole line');
    return records.map(answerOf);
  } catch (error) {
    const why =
      error instanceof TypeError
        ? 'It is no access log of Caddy or of the instrumented origin.'
        : (error as Error).message;
    throw new Error(`${file}: ${why}`, { cause: error });
  }
}

function answerOf(record: AccessRecord): AnsweredRequest {
  const { host, uri, method, clientPort, startMs: startUnixMs, endMs: endUnixMs, sizeBytes } = record;
  const overQuic = record.protocol === 'h3';
  return { host, uri, method, overQuic, clientPort, startUnixMs, endUnixMs, sizeBytes };
}
