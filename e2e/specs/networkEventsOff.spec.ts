import { disableNetworkEvents } from '../../lab/browser/chromium/disableNetworkEvents.ts';
import { expect, test } from '../fixtures/test.ts';

test('request events of a page end, and its requests go on', async ({ open }) => {
  const received: string[] = [];
  const session = await open({
    mpd: '/media/test/template/manifest.mpd',
    beforeLoad: async (page) => void page.on('request', (request) => received.push(request.url())),
  });
  await session.playing();
  const ask = (name: string) =>
    session.page.evaluate(async (path) => (await fetch(path)).status, `/favicon.svg?${name}`);
  expect(await ask('heard')).toBe(200);
  // Among those of the player, which goes on asking.
  expect(received.filter((url) => url.endsWith('?heard'))).toHaveLength(1);
  await disableNetworkEvents(session.page);
  expect(await ask('unheard')).toBe(200);
  // Its event would have arrived by now, as the one before did. One event of the player may still have been on its way.
  expect(received.filter((url) => url.endsWith('?unheard'))).toEqual([]);
});
