import type { Page } from '@playwright/test';
import { consoleTail, type ConsoleTail } from './consoleTail.ts';
import { watchDevTools, type DevToolsWatch } from '../../lab/browser/watchDevTools.ts';

/** Who sees a session from outside its page. The third one, the NetLog, is a file. */
export type Witnesses = ConsoleTail & DevToolsWatch;

/** To see everything, call it before the page asks for anything. Ends with the page. */
export async function watchWitnesses(page: Page): Promise<Witnesses> {
  return { ...consoleTail(page), ...(await watchDevTools(page)) };
}
