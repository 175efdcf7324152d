import { amountIn, amountOrNullIn, listOf, placedJson, type PlacedJson } from '../text/placedJson.ts';
import { readingOf, TextFault } from '../text/textFault.ts';
import { traceFromDurations, type Sample, type TraceFormat } from './traceFormat.ts';

/** Sabre's traces (Spiteri et al., MMSys 2018; github.com/UMass-LIDS/sabre). Its latency is what we call RTT. */
export const sabre: TraceFormat = {
  id: 'sabre',
  label: 'Sabre JSON',
  meaning: 'a JSON list of {"duration_ms", "bandwidth_kbps", "latency_ms"}',
  looksLike: (text) => /^\uFEFF?\s*\[/.test(text),
  read: (text, name) =>
    readingOf(name, () => {
      const pieces = listOf(placedJson(text), 'The trace');
      const samples = pieces.map(sampleOf('duration_ms', 'bandwidth_kbps', 'latency_ms'));
      return traceFromDurations(samples, name);
    }),
};

const SCHEMA = 'pitwall-trace/1';

/** Our own: what a trace can say, with the units in the names. `docs/networks.md` has an example. */
export const pitwallTrace: TraceFormat = {
  id: 'pitwall',
  label: 'Pitwall JSON',
  meaning: `{"schema": "${SCHEMA}", "pieces": [{"durationMs", "rateKbps", "rttMs"}]}`,
  looksLike: (text) => /^\uFEFF?\s*\{/.test(text),
  read: (text, name) =>
    readingOf(name, () => {
      const pieces = listOf(piecesIn(placedJson(text)), 'pieces');
      return traceFromDurations(pieces.map(sampleOf('durationMs', 'rateKbps', 'rttMs')), name);
    }),
};

/** Reads a piece by the names of its fields. */
const sampleOf =
  (duration: string, rate: string, rtt: string) =>
  (piece: PlacedJson): Sample => ({
    timeMs: amountIn(piece, duration),
    rateKbps: amountIn(piece, rate),
    rttMs: amountOrNullIn(piece, rtt),
    place: piece.place,
  });

function piecesIn(json: PlacedJson): PlacedJson {
  const fields: ReadonlyMap<string, PlacedJson> = json.kind === 'object' ? json.fields : new Map();
  const schema = fields.get('schema');
  if (schema?.kind !== 'plain' || schema.value !== SCHEMA)
    throw new TextFault(`The field schema must be "${SCHEMA}".`, (schema ?? json).place);
  const pieces = fields.get('pieces');
  if (!pieces) throw new TextFault('The field pieces is missing.', json.place);
  return pieces;
}
