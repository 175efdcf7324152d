import { disableNetworkEvents } from '../../lab/browser/disableNetworkEvents.ts';
import { expect, test } from '../fixtures/test.ts';

test('what is heard of a page’s requests ends, and the page goes on asking', async ({ open }) => {
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
  // As the one before, it would have been told of by now. One of the player's may just have been on its way to us.
  expect(received.filter((url) => url.endsWith('?unheard'))).toEqual([]);
});
