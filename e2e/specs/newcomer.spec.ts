import { expect, test } from '../fixtures/test.ts';

test('a newcomer sees a stall, a race and the reason of a decision within a minute', async ({ open }) => {
  test.setTimeout(60_000);
  const { page } = await open({ mpd: '/media/demo/manifest.mpd', autoplay: false });
  await page.getByRole('link', { name: /A stall explained/ }).click();
  await expect(page.locator('#diag')).toContainText(/Playback stalled for [\d.]+ s/);
  await expect(page.locator('#diag')).toContainText(/The rule had estimated [\d.]+ Mbit\/s/);
  await expect(page.locator('#decision .because')).toContainText(/level \d/i);
  await expect(page.locator('#opened-facts')).toContainText('udp-limiter');
  await expect(page.locator('#start-form')).toBeHidden();
  await page.goBack();
  await page.getByRole('link', { name: /A racing start/ }).click();
  await expect(page.locator('#lane-racing')).toBeVisible();
  await expect(page.locator('#lane-racing')).toContainText(/won/);
  await page.locator('#opened-again').click();
  await expect(page.locator('#start-form')).toBeVisible();
  await page.goto(`${new URL('./', page.url()).href}?recorded=rase`);
  await expect(page.getByRole('alert')).toContainText('did you mean "race"?');
});

test('a link opens the log that it names, also of another server, or says why not', async ({
  open,
  origin,
}) => {
  const { page } = await open({ mpd: '/media/demo/manifest.mpd', autoplay: false });
  const home = new URL('./', page.url());
  const linkTo = (log: string): string => `${home.href}?session=${encodeURIComponent(log)}`;
  await page.goto(linkTo(new URL('sessions/stall.json.gz', home).href));
  await expect(page.locator('#diag')).toContainText(/Playback stalled for [\d.]+ s/);
  await page.goto(linkTo(new URL('/media/demo/manifest.mpd', origin.httpsUrl).href));
  await expect(page.locator('#rejected')).toContainText('manifest.mpd was not opened.');
  await page.goto(linkTo('sessions/none.json'));
  await expect(page.getByRole('alert')).toContainText(
    '“none.json” could not be loaded: the server answered 404.',
  );
});
