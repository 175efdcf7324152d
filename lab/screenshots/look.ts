import type { Page } from '@playwright/test';

/** A window size and colour scheme in which every view is looked at. */
export interface Look {
  /** Part of the file name: stable, so that pictures can be held beside the ones from before. */
  readonly id: string;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly scheme: 'light' | 'dark';
  /** The whole page instead of what the window shows. */
  readonly whole: boolean;
  /** The button for the time shown: what suits a minute of session in this width. */
  readonly range: 'All' | '1 min';
}

const WIDE = { viewport: { width: 1440, height: 900 }, whole: false, range: 'All' } as const;
const NARROW = { viewport: { width: 400, height: 860 }, whole: true, range: '1 min' } as const;

export const looks: readonly Look[] = [
  { id: 'wide-light', scheme: 'light', ...WIDE },
  { id: 'wide-dark', scheme: 'dark', ...WIDE },
  { id: 'narrow-light', scheme: 'light', ...NARROW },
  { id: 'narrow-dark', scheme: 'dark', ...NARROW },
];

/** Charts are drawn at most four times a second; a lane that scrolled into view waits for its turn. */
const SETTLE_MS = 900;

/** A picture of the page in one look, as PNG. */
export async function photograph(page: Page, look: Look): Promise<Buffer> {
  await page.emulateMedia({ colorScheme: look.scheme });
  await page.setViewportSize(look.viewport);
  await page.getByRole('button', { name: look.range, exact: true }).click();
  // A pointer would show its crosshair and the controls.
  await page.mouse.move(0, 0);
  // What is off-screen is not drawn: for a picture of the whole page the window must be as tall as the page.
  if (look.whole) await page.setViewportSize({ ...look.viewport, height: await pageHeight(page) });
  await page.waitForTimeout(SETTLE_MS);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}

const pageHeight = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollHeight);
