import { p1203Input } from '../../src/analysis/p1203/p1203Input.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/**
 * The session as P.1203 input, JSON; what was assumed goes to standard error.
 * @throws Error in one sentence where the session or an option does not do
 */
export function p1203Text(
  file: string,
  log: SessionLog,
  { screen, fps }: { readonly screen: string; readonly fps: number | null },
): string {
  if (!/^[1-9]\d{1,4}x[1-9]\d{1,4}$/.test(screen))
    throw new Error(`--screen takes a width and a height in pixels, as in 1920x1080, not "${screen}".`);
  if (fps !== null && !(fps > 0 && fps <= 1000)) throw new Error('--fps takes a number above 0, up to 1000.');
  const made = p1203Input(log, { device: 'pc', displaySize: screen, fps });
  if (!made.ok) throw new Error(`${file}: ${made.error}`);
  for (const note of made.value.notes) process.stderr.write(`${file}: ${note}\n`);
  return `${JSON.stringify(made.value.input, null, 1)}\n`;
}
