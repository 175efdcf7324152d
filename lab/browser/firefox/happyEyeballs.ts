import type { BrowserContext } from '@playwright/test';
import { formatPreference } from './preferences.ts';

/** Off in Firefox 153: then TCP begins 50 or 100 ms after QUIC that has not connected, and not 250 ms. */
export const HAPPY_EYEBALLS = 'network.http.happy_eyeballs_enabled';

/** A preference is read by a script of the browser's own, which Firefox runs for nobody without this (remote/shared). */
const LETS_READ = '--remote-allow-system-access';

/** Flags of a Firefox that `readHappyEyeballs` may ask. */
export const racingFlags = (isHappyEyeballs: boolean): string[] => [
  LETS_READ,
  ...(isHappyEyeballs ? [formatPreference(HAPPY_EYEBALLS, true)] : []),
];

/** What is read of Playwright's own half of a context, which runs in the same process. */
interface PlaywrightsHalf {
  _browser?: { _browserSession?: { send(method: string, params: object): Promise<object> } };
}

/**
 * Reads the preference from the running browser, over the connection of Playwright's driver: its public interface reads none.
 * @throws Error in one sentence
 */
export async function readHappyEyeballs(context: BrowserContext): Promise<boolean> {
  const { _connection } = context as unknown as {
    _connection?: { toImpl?(context: BrowserContext): PlaywrightsHalf };
  };
  const session = _connection?.toImpl?.(context)._browser?._browserSession;
  if (!session) throw new Error('Playwright has changed inside: preferences of Firefox cannot be read.');
  const { contexts } = (await session.send('browsingContext.getTree', { 'moz:scope': 'chrome' })) as {
    readonly contexts: readonly { readonly context: string }[];
  };
  const answer = (await session.send('script.evaluate', {
    expression: `Services.prefs.getBoolPref('${HAPPY_EYEBALLS}')`,
    target: { context: contexts[0]?.context },
    awaitPromise: false,
  })) as { readonly result?: { readonly value?: unknown } };
  const value = answer.result?.value;
  if (typeof value !== 'boolean') throw new Error(`Firefox has no preference ${HAPPY_EYEBALLS}.`);
  return value;
}
