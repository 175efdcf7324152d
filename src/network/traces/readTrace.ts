import { failed, ok, type Result } from '../../shared/result.ts';
import type { RateTrace } from '../rateTrace.ts';
import { traceFormats } from './registry.ts';
import type { TraceFormat } from './traceFormat.ts';
import { unknownId } from '../../shared/unknownId.ts';

/**
 * Reads a trace in any format of the registry. Without `format` the text must look like exactly one of them; the error
 * is one sentence that names the file and, where it can, line and column.
 */
export function readTrace(
  text: string,
  options: { readonly name: string; readonly format?: string | null },
): Result<RateTrace> {
  const format = traceFormatOf(text, options);
  return format.ok ? format.value.read(text, options.name) : format;
}

/** Finds the format that a text is in: the one that is asked for, else the only one that it looks like. */
export function traceFormatOf(
  text: string,
  { name, format = null }: { name: string; format?: string | null },
): Result<TraceFormat> {
  if (text.trim() === '') return failed(`${name}: The file is empty.`);
  if (SIGN_OF_NO_TEXT.test(text.slice(0, LOOKED_AT)))
    return failed(`${name}: The file is not UTF-8 text (a picture, an archive, another encoding?).`);
  const candidates = traceFormats.filter((each) =>
    format === null ? each.looksLike(text) : each.id === format,
  );
  const [only, other] = candidates;
  if (!only) return failed(format === null ? unknownLooks(name) : unknownFormat(format));
  if (other) return failed(`${name}: The format may be ${idsOf(candidates, ' or ')}; name it (--format).`);
  return ok(only);
}

/** A control character that no text has. */
const SIGN_OF_NO_TEXT = /[^\P{Cc}\s]/u;
const LOOKED_AT = 5000;

const unknownLooks = (name: string): string =>
  `${name}: It looks like no format known here (${idsOf(traceFormats)}).`;
const unknownFormat = (id: string): string =>
  unknownId(
    'format',
    id,
    traceFormats.map((format) => format.id),
  );
const idsOf = (formats: readonly TraceFormat[], between = ', '): string =>
  formats.map(({ id }) => id).join(between);
