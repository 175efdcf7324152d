import { readingOf, TextFault } from '../text/textFault.ts';
import { amountOf, isNumber, textRows, type Field } from '../text/textRows.ts';
import { traceFromEnds, type Sample, type TraceFormat } from './traceFormat.ts';

/**
 * One line is the chance to pass one packet of 1500 bytes on. (`link_queue.hh` has 1504: four more for the header of
 * the TUN device, which no network carries.)
 */
const PACKET_BITS = 1500 * 8;

/**
 * Opportunities are counted in pieces of 100 ms: about a round trip, below which neither TCP nor a rule sees anything.
 * Every bit is kept; only where in its 100 ms it was carried is lost.
 */
const PIECE_MS = 100;

/** A week: a line beyond is a mistake, and would fill the memory with pieces. */
const LONGEST_MS = 7 * 24 * 3600 * 1000;

/** Whole ms, rising or equal; the last one ends the trace, which then begins again (Netravali et al., USENIX ATC 2015). */
export const mahimahi: TraceFormat = {
  id: 'mahimahi',
  label: 'Mahimahi',
  meaning: 'a line per packet of 1500 bytes: when it may pass, in ms',
  looksLike(text) {
    const rows = [...textRows(text.slice(0, 2000))].slice(0, 50);
    const single = rows.filter((row) => row.length === 1);
    return single.length * 2 > rows.length && single.some((row) => isNumber(row[0]!.text));
  },
  read: (text, name) => readingOf(name, () => traceFromEnds(piecesOf(text), { name, startMs: 0 })),
};

function* piecesOf(text: string): Iterable<Sample> {
  const { packets, lastMs, place } = packetsOf(text);
  for (const [piece, count] of packets.entries()) {
    const endMs = Math.min((piece + 1) * PIECE_MS, lastMs);
    const rateKbps = (count * PACKET_BITS) / (endMs - piece * PIECE_MS);
    yield { timeMs: endMs, rateKbps, rttMs: null, place };
  }
}

/** Packets by piece: piece i has those of the ms after `i × PIECE_MS` up to its end, the first also those of 0. */
function packetsOf(text: string) {
  const packets: number[] = [];
  let lastMs = 0;
  let place = { line: 1, column: 1 };
  for (const [field, more] of textRows(text)) {
    const timeMs = timeOf(field!);
    if (more) throw new TextFault(`There is more than a time: "${more.text}".`, more.place);
    if (timeMs < lastMs) throw new TextFault(`Time goes back from ${lastMs} to ${timeMs} ms.`, field!.place);
    const piece = Math.max(Math.ceil(timeMs / PIECE_MS) - 1, 0);
    while (packets.length <= piece) packets.push(0);
    packets[piece]! += 1;
    [lastMs, place] = [timeMs, field!.place];
  }
  if (packets.length > 0 && lastMs === 0)
    throw new TextFault('The trace ends at 0 ms; it must last longer.', place);
  return { packets, lastMs, place };
}

function timeOf(field: Field): number {
  const timeMs = amountOf(field, 'The time in ms');
  if (!Number.isInteger(timeMs))
    throw new TextFault(`The time in ms is ${timeMs}; it must be a whole number.`, field.place);
  if (timeMs > LONGEST_MS) throw new TextFault(`The time ${timeMs} ms is more than a week.`, field.place);
  return timeMs;
}
