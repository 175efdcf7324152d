import type { Page } from '@playwright/test';

/** What is read of Playwright's own half of a page, which runs in the same process. */
interface PlaywrightsHalf {
  delegate?: { _mainFrameSession?: { _client?: { send(method: 'Network.disable'): Promise<unknown> } } };
}

/**
 * Ends what Playwright hears of a page's requests. Its public interface has no way to: it enables DevTools' Network domain
 * on every page, and Chromium then reports every piece of a body that arrives to every process up to us. QUIC hands over
 * each packet by itself, so that a session at 3 Mbit/s cost 50 % of a core instead of 37 (over h2 20 instead of 15), and
 * six at once held both cores at 88 to 95 % instead of 55 to 63 (docs/decisions/0011-netlog-is-the-source-for-races.md).
 *
 * From now on the page's `request` and `response` events no longer come, and nothing of Playwright that waits for requests
 * works. Other DevTools sessions of the page keep what they have enabled.
 *
 * @throws Error when Playwright is built in another way than the version that we have pinned
 */
export async function disableNetworkEvents(page: Page): Promise<void> {
  const { _connection } = page as unknown as { _connection?: { toImpl?(page: Page): PlaywrightsHalf } };
  const client = _connection?.toImpl?.(page).delegate?._mainFrameSession?._client;
  if (!client) throw new Error('Playwright has changed inside: what it hears of requests cannot be ended.');
  await client.send('Network.disable');
}
