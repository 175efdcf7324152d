import type { Page } from '@playwright/test';
import type { CompareCell, ComparePlan } from './plan.ts';
import { browserOf } from '../../lab/browser/registry.ts';
import type { DevToolsResponse } from '../../src/telemetry/join/transportOfBrowser.ts';
import { redactText } from '../../src/telemetry/redactUrl.ts';

/** Sources that see a session from outside its page. The third one, the NetLog, is a file. */
export interface TransportSources extends ConsoleTail {
  /** Returns what DevTools reported; null where it was not asked, or the browser has none. */
  responses(): readonly DevToolsResponse[] | null;
}

/** Watches a page until it ends. To see everything, call it before the page asks for anything. */
export async function watchSources(
  page: Page,
  {
    plan,
    cell,
  }: { readonly plan: Pick<ComparePlan, 'devTools'>; readonly cell: Pick<CompareCell, 'browser'> },
): Promise<TransportSources> {
  const watch = plan.devTools ? await browserOf(cell.browser).watchRequests?.(page) : null;
  return { ...consoleTail(page), responses: () => watch?.responses() ?? null };
}

interface ConsoleTail {
  /** Returns the last lines, oldest first. */
  lines(): readonly ConsoleLine[];
}

/** Keeps the last lines of a page from now on. Ends with the page. */
function consoleTail(page: Page, maxLines = MAX_LINES): ConsoleTail {
  const lines: ConsoleLine[] = [];
  const keep = (kind: ConsoleLine['kind'], text: string, level: string | null = null): void => {
    lines.push({ atUnixMs: Date.now(), kind, level, text: redactText(text).slice(0, MAX_CHARS) });
    if (lines.length > maxLines) lines.shift();
  };
  page.on('console', (message) => keep('console', message.text(), message.type()));
  page.on('pageerror', (error) => keep('page-error', error.stack ?? error.message));
  page.on('requestfailed', (request) =>
    keep(
      'request-failed',
      `${request.failure()?.errorText ?? 'failed'} ${request.method()} ${request.url()}`,
    ),
  );
  page.on('crash', () => keep('crash', 'the page crashed'));
  return { lines: () => lines };
}

/** Something that a page said, or that happened to it. */
interface ConsoleLine {
  /** Time at which the runner received the line. */
  readonly atUnixMs: number;
  readonly kind: 'console' | 'page-error' | 'request-failed' | 'crash';
  /** Level of a console message, e.g. `warning`; null for other kinds. */
  readonly level: string | null;
  /** Text of the line. Values in the queries of URLs are left out, as in session logs. */
  readonly text: string;
}

const MAX_LINES = 500;

const MAX_CHARS = 4000;
