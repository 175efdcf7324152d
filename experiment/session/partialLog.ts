import { readFile } from 'node:fs/promises';
import type { BrowserContext, Page } from '@playwright/test';
import { within } from './within.ts';
import { failed, ok, type Result } from '../../src/shared/result.ts';
import type {} from '../../src/ui/automation.ts';

export interface PartialLog {
  /** Text of the log, as the page wrote it. It is not looked at, because it may be what makes the page fail. */
  readonly text: string;
  /** Source of the text: the living page, or what it had stored (IndexedDB), where at most the last second is lost. */
  readonly from: 'page' | 'store';
}

export interface FailedSession {
  /** Page of the session; null where the browser did not start. */
  readonly page: Page | null;
  /** Ends the session's browser. May be called when it is gone. */
  close(): Promise<void>;
  /** Opens the same browser once more, with the same profile; null where that is not possible. */
  readonly reopen: (() => Promise<Reopened>) | null;
}

interface Reopened {
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** Time limit for an answer, ms: a page that hangs does not answer at all. */
const ANSWER_LIMIT_MS = 10_000;
const RESCUE_LIMIT_MS = 30_000;

/** Returns what there is of a session's log after a failure. Closes the session's browser. */
export async function partialLog({ page, close, reopen }: FailedSession): Promise<Result<PartialLog>> {
  const address = page?.url() ?? 'about:blank';
  const alive = page ? await fromPage(page) : failed('there was no page');
  await within(ANSWER_LIMIT_MS, close()).catch(() => undefined);
  if (alive.ok || !reopen || !URL.canParse(address) || new URL(address).origin === 'null') return alive;
  try {
    const stored = await fromStore(await reopen(), new URL('/', address).href);
    return stored;
  } catch (error) {
    return failed(`${alive.error}; ${formatError(error)}`);
  }
}

async function fromPage(page: Page): Promise<Result<PartialLog>> {
  try {
    const text = await within(
      ANSWER_LIMIT_MS,
      page.evaluate(() => window.pitwall!.session()),
    );
    return ok({ text, from: 'page' });
  } catch (error) {
    return failed(`the page gave no log (${formatError(error)})`);
  }
}

/** Reads the log from the store. The page itself offers what a crash cut off; this saves it as a person would. */
async function fromStore({ context, close }: Reopened, address: string): Promise<Result<PartialLog>> {
  try {
    const page = await context.newPage();
    await page.goto(address, { timeout: RESCUE_LIMIT_MS });
    const save = page.locator('[data-session]').first().getByRole('button', { name: 'Export' });
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: RESCUE_LIMIT_MS }),
      save.click({ timeout: RESCUE_LIMIT_MS }),
    ]);
    return ok({ text: await readFile(await download.path(), 'utf8'), from: 'store' });
  } catch (error) {
    return failed(`its profile holds none that was cut off (${formatError(error)})`);
  } finally {
    await within(ANSWER_LIMIT_MS, close()).catch(() => undefined);
  }
}

const formatError = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]!;
