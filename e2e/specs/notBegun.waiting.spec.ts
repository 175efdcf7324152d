import { eventsOf } from '../fixtures/logEvents.ts';
import { spoiledOrigin } from '../fixtures/misbehave.ts';
import { expect, test } from '../fixtures/test.ts';

const MPD = '/media/test/template/manifest.mpd';

/** What the page says of a stream whose manifest was changed so, and whether it goes on waiting. */
for (const [what, change, sentence, fatal] of [
  [
    'a stream that has not begun says when it will',
    (mpd: string) =>
      mpd
        .replace('type="static"', 'type="dynamic" availabilityStartTime="2090-01-01T00:00:00Z"')
        .replace(/ mediaPresentationDuration="[^"]*"/, ''),
    /has not begun: its manifest is available from 2090-01-01T00:00:00\.000Z/,
    false,
  ],
  [
    'addresses that no page asks end with one sentence',
    (mpd: string) => mpd.replace(/<Period\b/, '<BaseURL>javascript:alert(1)//</BaseURL>$&'),
    /addresses that begin with "javascript:"/,
    true,
  ],
] as const)
  test(what, async ({ open, origin }) => {
    const proxy = await spoiledOrigin(origin, (path, answer) =>
      path.startsWith(MPD) ? { body: change(answer.toString()) } : null,
    );
    try {
      const session = await open({ mpd: `${proxy.url}${MPD}`, origin });
      await expect(session.page.getByRole('alert')).toContainText(sentence);
      expect((await session.state()).phase).toBe(fatal ? 'failed' : 'waiting');
      const reported = eventsOf(await session.stop(), 'error').filter(({ message }) =>
        sentence.test(message),
      );
      expect(reported.map((each) => each.fatal)).toEqual([fatal]);
    } finally {
      await proxy.close();
    }
  });
