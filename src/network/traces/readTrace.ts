import { failed, ok, type Result } from '../../shared/result.ts';
import { formatMbps } from '../../shared/format.ts';
import { meanKbps, type RateTrace } from '../rateTrace.ts';
import { pitwallTrace } from './json.ts';
import { traceFormats } from './registry.ts';
import type { TraceFormat } from './traceFormat.ts';
import { unknownId } from '../../shared/unknownId.ts';

interface ReadOptions {
  /** Name of the file. */
  readonly name: string;
  /** The id of the format that was asked for. */
  readonly format?: string | null;
}

/**
 * Reads a trace in any format of the registry. Without `format` the text must look like exactly one of them; the error
 * is one sentence that names the file and, where it can, line and column.
 */
export function readTrace(text: string, options: ReadOptions): Result<RateTrace> {
  const read = readTraceAndFormat(text, options);
  return read.ok ? ok(read.value.trace) : read;
}

/** Like `readTrace`, with the format that the text was in. */
export function readTraceAndFormat(
  text: string,
  options: ReadOptions,
): Result<{ readonly trace: RateTrace; readonly format: TraceFormat }> {
  const format = traceFormatOf(text, options);
  if (!format.ok) return format;
  const trace = format.value.read(text, options.name);
  if (!trace.ok) return trace;
  const fault = (options.format ?? null) === null ? faultOfUnit(trace.value, format.value) : null;
  return fault === null ? ok({ trace: trace.value, format: format.value }) : failed(fault);
}

/** Recordings of access networks are slower on average: numbers above are of another unit than the one that was found. */
const MAX_MEAN_KBPS = 1e6;

/** What makes a unit unlikely that nobody asked for. Our own format has it in the name of its field. */
function faultOfUnit(trace: RateTrace, { id, meaning }: TraceFormat): string | null {
  const kbps = meanKbps(trace);
  if (kbps <= MAX_MEAN_KBPS || id === pitwallTrace.id) return null;
  return `${trace.name}: Read as ${id} (${meaning}) it carries ${formatMbps(kbps)} on average. If that is right, name the format (--format ${id}); else write its rates in another unit.`;
}

/** Finds the format that a text is in: the one that is asked for, else the only one that it looks like. */
function traceFormatOf(text: string, { name, format = null }: ReadOptions): Result<TraceFormat> {
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
