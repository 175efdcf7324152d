import { amountIn, amountOrNullIn, listOf } from '../jsonFields.ts';
import { placedJson, type PlacedJson } from '../placedJson.ts';
import { readingOf, TextFault } from '../textFault.ts';
import { traceFromDurations } from '../traceFrom.ts';
import type { TraceFormat } from '../traceFormat.ts';

const SCHEMA = 'pitwall-trace/1';

/** Our own: what a trace can say, with the units in the names. `docs/traces.md` has an example. */
export const pitwallTrace: TraceFormat = {
  id: 'pitwall',
  label: 'Pitwall JSON',
  meaning: `{"schema": "${SCHEMA}", "pieces": [{"durationMs", "rateKbps", "rttMs"}]}`,
  looksLike: (text) => /^\uFEFF?\s*\{/.test(text),
  read: (text, name) =>
    readingOf(name, () => {
      const samples = listOf(piecesIn(placedJson(text)), 'pieces').map((item) => ({
        timeMs: amountIn(item, 'durationMs'),
        rateKbps: amountIn(item, 'rateKbps'),
        rttMs: amountOrNullIn(item, 'rttMs'),
        place: item.place,
      }));
      return traceFromDurations(samples, name);
    }),
};

function piecesIn(json: PlacedJson): PlacedJson {
  const fields: ReadonlyMap<string, PlacedJson> = json.kind === 'object' ? json.fields : new Map();
  const schema = fields.get('schema');
  if (schema?.kind !== 'plain' || schema.value !== SCHEMA)
    throw new TextFault(`The field schema is to be "${SCHEMA}".`, (schema ?? json).place);
  const pieces = fields.get('pieces');
  if (!pieces) throw new TextFault('The field pieces is missing.', json.place);
  return pieces;
}
