import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';
import { paddedRecipe } from '../../lab/content/padded/paddedRecipe.ts';
import { makePaddedStream } from '../../lab/content/padded/paddedStream.ts';
import { requireTool } from '../../lab/tools.ts';
import { envivio } from '../../src/sim/envivio.ts';

test('a padded stream plays like any other, and every segment brings the bytes of its table', async ({
  open,
}) => {
  const recipe = paddedRecipe(envivio, { segmentSeconds: 2, seconds: 600, audioKbps: 32 });
  const { folder } = await makePaddedStream(recipe, {
    cacheFolder: requireTool('cacheFolder'),
    ffmpeg: requireTool('ffmpeg'),
    fontFile: requireTool('fontFile'),
  });
  const origin = await startOrigin({ mounts: { '/media/padded': folder } });
  try {
    const session = await open({ mpd: '/media/padded/manifest.mpd', rule: 'throughput', origin });
    await session.playing();
    await session.page.waitForFunction(() => window.pitwall!.state().playheadMs! > 3000);
    // Beyond the 12 s that were really encoded, after which the pictures begin again.
    await session.page.waitForFunction(() => document.querySelector('video')!.buffered.end(0) > 16);
    const log = await session.stop();
    expect(eventsOf(log, 'error')).toEqual([]);
    const ladder = eventsOf(log, 'ladder').find(({ mediaType }) => mediaType === 'video')!;
    expect(ladder.rungs.map(({ bitrateKbps }) => bitrateKbps)).toEqual([300, 750, 1200, 1850, 2850, 4300]);
    const loaded = requestsIn(log).filter(
      ({ mediaType, outcome }) => mediaType === 'video' && outcome === 'ok',
    );
    expect(loaded.length).toBeGreaterThan(7);
    for (const { rung, segment, receivedBytes } of loaded)
      expect(receivedBytes).toBe(recipe.video[rung!]!.sizesBytes[segment!]);
  } finally {
    await origin.stop();
  }
});
