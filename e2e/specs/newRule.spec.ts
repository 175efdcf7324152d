import path from 'node:path';
import { buildApp } from '../../setup/buildApp.mjs';
import { coin, treeWithRule, type SourceTree } from '../fixtures/extraRule.ts';
import { eventsOf } from '../fixtures/logEvents.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

let tree: SourceTree | null = null;
// A test that ran out of time ends here too.
test.afterEach(() => tree?.remove());

/** Tests and command line of such a rule: `setup/newRule.test.ts`. */
test('a rule that is one file and one export line is picked on the page and plays', async ({ open }) => {
  tree = treeWithRule('coin', coin);
  await buildApp(tree.root, () => undefined);
  const origin = await startOrigin({ appFolder: path.join(tree.root, 'dist') });
  try {
    const { page, playing, stop } = await open({
      mpd: '/media/test/template/manifest.mpd',
      autoplay: false,
      origin,
    });
    await page.getByRole('combobox', { name: 'Rule' }).selectOption({ label: 'Coin' });
    await page.getByRole('button', { name: 'Start', exact: true }).click();
    await playing();
    await page.waitForTimeout(4000);
    const log = await stop();
    expect(log.environment.rule).toBe('coin');
    const decisions = eventsOf(log, 'decision').filter(({ mediaType }) => mediaType === 'video');
    expect(new Set(decisions.map(({ rule }) => rule))).toEqual(new Set(['coin']));
    expect(new Set(decisions.map(({ because }) => because))).toEqual(
      new Set(['The coin shows heads.', 'The coin shows tails.']),
    );
    expect(new Set(decisions.map(({ rung }) => rung))).toEqual(new Set([0, 1]));
  } finally {
    await origin.stop();
  }
});
