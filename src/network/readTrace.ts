import { failed, type Result } from '../result.ts';
import type { RateTrace } from './rateTrace.ts';
import { traceFormats } from './registry.ts';
import type { TraceFormat } from './traceFormat.ts';

/**
 * Reads a trace in any format of the registry. Without `format` the text must look like exactly one of them; the error
 * is one sentence that names the file and, where it can, line and column.
 */
export function readTrace(
  text: string,
  { name, format = null }: { name: string; format?: string | null },
): Result<RateTrace> {
  if (text.trim() === '') return failed(`${name}: The file is empty.`);
  const candidates = traceFormats.filter((each) =>
    format === null ? each.looksLike(text) : each.id === format,
  );
  const [only, other] = candidates;
  if (!only) return failed(format === null ? unknownLooks(name) : unknownFormat(format));
  if (other) return failed(`${name}: It may be ${idsOf(candidates, ' or ')}; say which with a format.`);
  return only.read(text, name);
}

const unknownLooks = (name: string): string =>
  `${name}: It looks like no format known here (${idsOf(traceFormats)}).`;
const unknownFormat = (id: string): string => `Unknown format "${id}"; known: ${idsOf(traceFormats)}.`;
const idsOf = (formats: readonly TraceFormat[], between = ', '): string =>
  formats.map(({ id }) => id).join(between);
