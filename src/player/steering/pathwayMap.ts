import { carriedBy, MAIN, type PlacedPathway } from './pathways.ts';

/** Where a session's files can be requested. */
export interface PathwayMap {
  /** All pathways; the first is used where nothing speaks against it. */
  readonly pathways: readonly PlacedPathway[];
  /** Returns the id of the pathway that a URL belongs to; null where it belongs to none. */
  of(url: string): string | null;
  /**
   * Returns the URL of a file over another pathway; the URL itself where it belongs to no pathway. `keepsQuery` false leaves
   * its query away, but for the player's own CMCD.
   */
  to(url: string, pathway: string, keepsQuery: boolean): string;
}

/** The pathways that were given, beside the MPD's own server, which is the first. */
export function createPathwayMap(mpdUrl: string, given: readonly PlacedPathway[]): PathwayMap {
  const mpd = new URL(mpdUrl);
  const folder = mpd.pathname.slice(0, mpd.pathname.lastIndexOf('/'));
  const main: PlacedPathway = { id: MAIN, base: mpd.origin, carries: 'any' };
  const hasFolder = ({ base }: PlacedPathway): boolean => new URL(base).pathname !== '/';
  const folderOf = (pathway: PlacedPathway): string => pathway.base + (hasFolder(pathway) ? '' : folder);
  // A pathway with a folder replaces the MPD's folder.
  return mapOf([main, ...given], (from, to) =>
    hasFolder(from) || hasFolder(to) ? [folderOf(from), folderOf(to)] : [from.base, to.base],
  );
}

/** The pathways that the BaseURL elements of an MPD are: each address replaces the other. */
export const createDeclaredMap = (declared: readonly PlacedPathway[]): PathwayMap =>
  mapOf(declared, (from, to) => [from.base, to.base]);

/** What of a URL is replaced, and by what. */
type Replaced = (from: PlacedPathway, to: PlacedPathway) => readonly [string, string];

function mapOf(pathways: readonly PlacedPathway[], replaced: Replaced): PathwayMap {
  // An address may begin like another: the longer one is meant.
  const longestFirst = pathways.toReversed().sort((one, other) => other.base.length - one.base.length);
  const find = (url: string): PlacedPathway | undefined =>
    longestFirst.find(({ base }) => url.startsWith(`${base}/`));
  return {
    pathways,
    of: (url) => find(url)?.id ?? null,
    to(url, wanted, keepsQuery) {
      const from = find(url);
      const to = pathways.find(({ id }) => id === wanted);
      if (!from || !to || from === to) return url;
      const [before, after] = replaced(from, to);
      if (!url.startsWith(`${before}/`)) return url;
      const file = url.slice(before.length);
      return after + (keepsQuery ? file : withoutQuery(file));
    },
  };
}

/** CMCD says what the player does (CTA-5004): it is of use to every server, and no secret of the first one. */
function withoutQuery(file: string): string {
  const [path = '', query = ''] = file.split(/\?(.*)/s);
  const cmcd = query.split('&').find((each) => each.startsWith('CMCD='));
  return cmcd === undefined ? path : `${path}?${cmcd}`;
}

/** A BaseURL of dash.js (dash/vo/BaseURL.js): resolved, and named by its address where it has no `serviceLocation`. */
export interface BaseUrl {
  readonly url: string;
  readonly serviceLocation: string;
}

/** Maximum number of pathways: as many as the session log takes. */
const MAX_PATHWAYS = 20;

/**
 * The pathways that the BaseURL elements at the top level of an MPD are (ISO/IEC 23009-1, 5.6; content steering: annex K):
 * those with a `serviceLocation`, in their order. None if there are not two of them.
 */
export function declaredPathways(baseUrls: readonly BaseUrl[]): PlacedPathway[] {
  const declared: PlacedPathway[] = [];
  for (const { url, serviceLocation: id } of baseUrls) {
    const base = folderAt(url);
    if (base === null || id === url || declared.some((each) => each.id === id || each.base === base))
      continue;
    declared.push({ id, base, carries: carriedBy(id) });
  }
  return declared.length < 2 ? [] : declared.slice(0, MAX_PATHWAYS);
}

/** The folder of an address, without a slash at its end; null for one that is none of a web server. */
function folderAt(address: string): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  return url.origin + url.pathname.slice(0, url.pathname.lastIndexOf('/'));
}
