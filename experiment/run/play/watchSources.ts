import type { Page } from '@playwright/test';
import { consoleTail, type ConsoleTail } from './keepEvidence.ts';
import type { ComparePlan } from './plan.ts';
import { watchDevTools } from '../../../lab/browser/watchDevTools.ts';
import type { DevToolsResponse } from '../../../src/telemetry/join/transportOfBrowser.ts';

/** Who sees a session from outside its page. The third one, the NetLog, is a file. */
export interface TransportSources extends ConsoleTail {
  /** null where DevTools was not asked. */
  responses(): readonly DevToolsResponse[] | null;
}

/** To see everything, call it before the page asks for anything. Ends with the page. */
export async function watchSources(
  page: Page,
  { devTools }: Pick<ComparePlan, 'devTools'>,
): Promise<TransportSources> {
  const watch = devTools ? await watchDevTools(page) : null;
  return { ...consoleTail(page), responses: () => watch?.responses() ?? null };
}
