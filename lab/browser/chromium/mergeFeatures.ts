import type { BrowserType } from '@playwright/test';

/** What is read of Playwright's own half, which runs in the same process. */
interface PlaywrightsHalf {
  _innerDefaultArgs?(options: object): readonly string[];
}

/**
 * Merges each `--enable-features` of our flags and Playwright's own one into a single flag: Chromium heeds only the last one of a
 * command line. Flags without features stay as they are.
 *
 * @throws Error when Playwright is built in another way than the version that we have pinned
 */
export function mergeFeatures(chromium: BrowserType, flags: readonly string[]): string[] {
  const own = flags.filter(isList);
  if (own.length === 0) return [...flags];
  const { _connection } = chromium as unknown as {
    _connection?: { toImpl?(type: BrowserType): PlaywrightsHalf };
  };
  const playwrights = _connection?.toImpl?.(chromium)._innerDefaultArgs?.({});
  if (!playwrights)
    throw new Error('Playwright has changed inside: its own features of Chromium cannot be read.');
  const features = [...playwrights.filter(isList), ...own].flatMap((flag) =>
    flag.slice(FLAG.length).split(','),
  );
  return [...flags.filter((flag) => !isList(flag)), `${FLAG}${[...new Set(features)].join()}`];
}

const FLAG = '--enable-features=';

const isList = (flag: string): boolean => flag.startsWith(FLAG);
