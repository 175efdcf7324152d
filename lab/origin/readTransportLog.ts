/** Reads what our own origin wrote about its connections, one line each 100 ms. */
import { existsSync, readFileSync } from 'node:fs';

/** One connection at one moment. Null: the transport does not measure it, or has not yet. */
export interface TransportSample {
  readonly atUnixMs: number;
  readonly event: 'opened' | 'sample' | 'closed';
  /** Number of the connection, which Server-Timing and the access log have, too. */
  readonly connection: number;
  readonly protocol: 'http/1.1' | 'h2' | 'h3';
  /** Address and port of the client. */
  readonly remote: string;
  readonly rttMs: number | null;
  readonly minRttMs: number | null;
  readonly rttVarMs: number | null;
  readonly cwndBytes: number | null;
  readonly inFlightBytes: number | null;
  /** Packets that were declared lost so far: QUIC alone. */
  readonly lostPackets: number | null;
  /** Packets that were sent again so far: TCP alone. */
  readonly retransmittedPackets: number | null;
  readonly sentPackets: number | null;
  readonly deliveryRateKbps: number | null;
  /** Whether the delivery rate was limited by the data that there was to send. */
  readonly appLimited: boolean | null;
  readonly controller: string | null;
}

/** Reads every whole line of the file, oldest first; none while there is no file. */
export function readTransportLog(file: string): TransportSample[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.flatMap((line, index) => (line === '' ? [] : [parse(line, index + 1)]));
}

function parse(line: string, lineNumber: number): TransportSample {
  try {
    return JSON.parse(line) as TransportSample;
  } catch (cause) {
    throw new Error(`The transport log has no JSON on line ${lineNumber}: ${line.slice(0, 80)}`, { cause });
  }
}
