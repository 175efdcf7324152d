import type { CampaignFile } from './campaignFile.ts';
import { transportsBeside } from './besideOf.ts';
import { connectionOf } from './factorsOf.ts';
import type { Entry } from '../../src/shared/registry.ts';
import { unknownId } from '../../src/shared/unknownId.ts';

export interface KnownBrowser extends Entry {
  /** Ids of the transport modes that it can be started in. */
  readonly modes: readonly string[];
  /** Whether it can be made one that has visited the origin before. */
  readonly canBeWarm: boolean;
}

/** Browsers that there are not, and what one of them cannot do. */
export function browserFaults(
  { browsers = [], transports, beside = [], browserProfile = 'cold', transfers = [] }: CampaignFile,
  known: readonly KnownBrowser[],
): string[] {
  const isWarm = browserProfile !== 'cold' || transfers.some((text) => connectionOf(text) !== 'cold');
  return browsers.flatMap((id, index) => {
    const browser = known.find((each) => each.id === id);
    if (!browser) {
      const ids = known.map((each) => each.id);
      return [`/browsers/${index}: ${unknownId('browser', id, ids)}`];
    }
    return [
      ...transports.map((mode, place) => at(`/transports/${place}`, faultOfMode(browser, mode))),
      ...beside.flatMap((text, place) =>
        transportsBeside(text).map((mode) => at(`/beside/${place}`, faultOfMode(browser, mode))),
      ),
      at(`/browsers/${index}`, isWarm && !browser.canBeWarm ? formatOnlyCold(browser) : null),
    ].flat();
  });
}

const at = (path: string, sentence: string | null): string[] => (sentence ? [`${path}: ${sentence}`] : []);

/** One sentence about a transport mode that a browser does not have, or null. */
export const faultOfMode = ({ label, modes }: KnownBrowser, mode: string): string | null =>
  modes.includes(mode) ? null : `${label} has no transport mode ${mode}; it has ${modes.join(', ')}.`;

/** One sentence about a browser whose sessions cannot begin warm. */
export const formatOnlyCold = ({ label }: KnownBrowser): string =>
  `${label} cannot visit the origin before its session: leave out what needs a warm browser.`;
