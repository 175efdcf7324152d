import { askFor, formatAskError, type Trusted } from '../../node/trust.ts';
import { lengthFault } from '../design/campaignFaults.ts';

const PATIENCE_MS = 10_000;

/**
 * Asks the server of an MPD whether the stream is long enough for sessions of `seconds`. Where it cannot be asked from here
 * (a browser may know a way that we do not), a line says so. @throws Error in one sentence when it refuses, or is too short
 */
export async function lengthKnown(
  url: string,
  seconds: number,
  { print, trusted }: { print(line: string): void; trusted?: Trusted | undefined },
): Promise<void> {
  const response = await askFor(url, PATIENCE_MS, trusted).catch((error: Error) => {
    print(
      `${url}: The server cannot be reached (${formatAskError(error)}), so the length of the stream is unknown.`,
    );
    return null;
  });
  if (response === null) return;
  if (!response.ok) throw new Error(`${url}: The server answers ${response.status}.`);
  const contentSeconds = mpdSeconds(response.text);
  const fault = contentSeconds === null ? null : lengthFault(url, { contentSeconds, seconds });
  if (fault) throw new Error(fault);
}

/** An XML duration (W3C XML Schema part 2, §3.2.6), as MPDs have it: `PT1M12S`, `P0Y0M0DT0H1M12.000S`. */
const DURATION =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const UNITS_SECONDS = [365 * 86_400, 30 * 86_400, 86_400, 3600, 60, 1];

/** How long the stream of an MPD lasts, in s; null for a live one, and where the MPD does not say it at its beginning. */
export function mpdSeconds(text: string): number | null {
  const [, attributes = ''] = /<(?:[\w-]+:)?MPD\b([^>]*)>/.exec(text) ?? [];
  if (/\btype\s*=\s*["']dynamic["']/.test(attributes)) return null;
  const [, , said = ''] = /\bmediaPresentationDuration\s*=\s*(["'])(.*?)\1/.exec(attributes) ?? [];
  const parts = DURATION.exec(said.trim())?.slice(1);
  if (!parts?.some((part) => part !== undefined)) return null;
  return parts.reduce((sum, part, index) => sum + Number(part ?? 0) * UNITS_SECONDS[index]!, 0);
}
