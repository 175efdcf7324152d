import { OTHER } from './codes.ts';
import { protocolFrom, type Protocol } from './protocol.ts';
import type { SessionSeries } from './series.ts';
import { rowAfter } from './table.ts';

export type BytesByProtocol = Record<Protocol, number>;

/** Body bytes of audio and video requested by `untilMs`, per protocol; also what failed requests had delivered. */
export function mediaBytes({ requests }: SessionSeries, untilMs: number): BytesByProtocol {
  const bytes: BytesByProtocol = { h1: 0, h2: 0, unknown: 0, h3: 0 };
  const { sizeBytes, protocol, lane } = requests.columns;
  const end = rowAfter(requests, untilMs);
  for (let row = 0; row < end; row += 1) {
    const size = sizeBytes[row]!;
    if (lane[row] !== OTHER && size > 0) bytes[protocolFrom(protocol[row]!)] += size;
  }
  return bytes;
}
