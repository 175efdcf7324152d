import { mpdSeconds } from './mpdSeconds.ts';
import { lengthFault } from '../plan/lengthFault.ts';

const PATIENCE_MS = 10_000;

/**
 * Asks the server of an MPD whether the stream is long enough for sessions of `seconds`. Where it cannot be asked from here
 * (a browser may know a way that we do not), a line says so. @throws Error in one sentence when it refuses, or is too short
 */
export async function lengthKnown(
  url: string,
  seconds: number,
  print: (line: string) => void,
): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE_MS) }).catch((error: Error) => {
    const reason = (error.cause as Error | undefined)?.message ?? error.message;
    print(`${url}: The server cannot be reached (${reason}), so the length of the stream is unknown.`);
    return null;
  });
  if (response === null) return;
  if (!response.ok) throw new Error(`${url}: The server answers ${response.status}.`);
  const contentSeconds = mpdSeconds(await response.text());
  const fault = contentSeconds === null ? null : lengthFault(url, { contentSeconds, seconds });
  if (fault) throw new Error(fault);
}
