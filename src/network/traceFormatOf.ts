import { failed, ok, type Result } from '../result.ts';
import { traceFormats } from './registry.ts';
import type { TraceFormat } from './traceFormat.ts';

/** The format that a text is in: the one that is asked for, else the only one that it looks like. */
export function traceFormatOf(
  text: string,
  { name, format = null }: { name: string; format?: string | null },
): Result<TraceFormat> {
  if (text.trim() === '') return failed(`${name}: The file is empty.`);
  const candidates = traceFormats.filter((each) =>
    format === null ? each.looksLike(text) : each.id === format,
  );
  const [only, other] = candidates;
  if (!only) return failed(format === null ? unknownLooks(name) : unknownFormat(format));
  if (other) return failed(`${name}: It may be ${idsOf(candidates, ' or ')}; say which with a format.`);
  return ok(only);
}

const unknownLooks = (name: string): string =>
  `${name}: It looks like no format known here (${idsOf(traceFormats)}).`;
const unknownFormat = (id: string): string => `Unknown format "${id}"; known: ${idsOf(traceFormats)}.`;
const idsOf = (formats: readonly TraceFormat[], between = ', '): string =>
  formats.map(({ id }) => id).join(between);
