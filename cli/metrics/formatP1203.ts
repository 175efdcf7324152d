import { p1203 } from '../../src/export/p1203.ts';
import type { FormatOptions } from '../../src/export/sessionFormat.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/**
 * The session as P.1203 input, JSON, as `pitwall export` writes it; what was assumed goes to standard error.
 * @throws Error in one sentence where the session or an option does not do
 */
export function formatP1203(file: string, log: SessionLog, options: FormatOptions): string {
  const made = p1203.convert(log, options);
  if (!made.ok) throw new Error(made.error.startsWith('--') ? made.error : `${file}: ${made.error}`);
  for (const note of made.value.notes) process.stderr.write(`${file}: ${note}\n`);
  return made.value.text;
}
