import { OTHER } from '../codes.ts';
import { figureOf } from '../figure.ts';
import type { KeyFigures } from '../figures.ts';
import { mediaBytes } from '../mediaBytes.ts';
import { protocolFrom, tcpShareOf, type Protocol } from '../protocol.ts';
import type { SessionSeries } from '../series.ts';
import { rowAfter } from '../table.ts';

export type TransportFigures = Pick<KeyFigures, 'mediaBytes' | 'tcpShare' | 'protocolNow'>;

/** What carried the media (TCP share: racing paper 2024). */
export function transportFigures(series: SessionSeries, untilMs: number): TransportFigures {
  const bytes = mediaBytes(series, untilMs);
  const why =
    bytes.unknown > 0
      ? 'The browser hides the protocol of every media byte so far: see diagnostics.'
      : 'No media has been received yet.';
  return {
    mediaBytes: bytes,
    tcpShare: figureOf(tcpShareOf(bytes), why),
    protocolNow: protocolAt(series, untilMs),
  };
}

function protocolAt({ requests }: SessionSeries, untilMs: number): Protocol | null {
  const { protocol, lane } = requests.columns;
  for (let row = rowAfter(requests, untilMs) - 1; row >= 0; row -= 1) {
    const known = protocolFrom(protocol[row]!);
    if (lane[row] !== OTHER && known !== 'unknown') return known;
  }
  return null;
}
