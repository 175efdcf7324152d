import type { Result } from '../shared/result.ts';
import type { RateTrace } from './rateTrace.ts';
import { traceFormatOf } from './traceFormatOf.ts';

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
