import { failed, ok, type Result } from '../../shared/result.ts';
import type { Pathway } from '../../steering/policy.ts';

/** A pathway and where it leads. */
export interface PlacedPathway extends Pathway {
  /** Scheme, host and port, with a folder where the stream lies elsewhere on this server; no slash at the end. */
  readonly base: string;
}

/** The id of the pathway of the MPD. */
export const MAIN = 'main';

/**
 * Reads a pathway as in a link and on the command line: `tcp=https://tcp.cdn.example`. The address replaces scheme, host
 * and port of the MPD's; one with a path replaces the MPD's folder, too. A pathway whose id is `tcp`, or begins with
 * `tcp-`, is one without HTTP/3.
 */
export function readPathway(text: string): Result<PlacedPathway> {
  const at = text.indexOf('=');
  if (at === -1) return failed(`The pathway “${text}” is not of the form tcp=https://tcp.cdn.example.`);
  const [id, address] = [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > 40)
    return failed(`The pathway “${text}” has no id of small letters, digits and hyphens before the “=”.`);
  if (id === MAIN) return failed(`The pathway “${MAIN}” is that of the MPD: give this one another id.`);
  const base = baseOf(address);
  if (!base.ok) return failed(`The pathway ${id} ${base.error}`);
  return ok({ id, base: base.value, carries: carriedBy(id) });
}

function baseOf(address: string): Result<string> {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    return failed(`leads to “${address}”, which is not an address such as https://tcp.cdn.example.`);
  if ([url.username, url.password, url.search, url.hash].some((part) => part !== ''))
    return failed(`is a server, or a folder of one: “${address}” says more.`);
  return ok(`${url.origin}${url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname}`);
}

const carriedBy = (id: string): Pathway['carries'] => (/^tcp(-|$)/.test(id) ? 'tcp' : 'any');

/** Reads all pathways beside the MPD's. */
export function readPathways(texts: readonly string[]): Result<PlacedPathway[]> {
  const pathways: PlacedPathway[] = [];
  for (const text of texts) {
    const pathway = readPathway(text);
    if (!pathway.ok) return pathway;
    const { id } = pathway.value;
    if (pathways.some((each) => each.id === id)) return failed(`There are two pathways “${id}”.`);
    pathways.push(pathway.value);
  }
  return ok(pathways);
}

/** Where a session's files can be requested: the MPD's own server first. */
export interface PathwayMap {
  readonly pathways: readonly PlacedPathway[];
  /** Id of the pathway that a URL belongs to; null for one of none. */
  of(url: string): string | null;
  /**
   * The same file over another pathway; the URL itself for one of none. `keepsQuery` false leaves its query away, but for
   * the player's own CMCD.
   */
  to(url: string, pathway: string, keepsQuery: boolean): string;
}

export function createPathwayMap(mpdUrl: string, given: readonly PlacedPathway[]): PathwayMap {
  const mpd = new URL(mpdUrl);
  const folder = mpd.origin + mpd.pathname.slice(0, mpd.pathname.lastIndexOf('/'));
  const main: PlacedPathway = { id: MAIN, base: mpd.origin, carries: 'any' };
  const pathways = [main, ...given];
  // For a pathway with a folder the MPD's folder is what it replaces.
  const hasFolder = ({ base }: PlacedPathway): boolean => new URL(base).pathname !== '/';
  const find = (url: string): PlacedPathway | undefined =>
    pathways.toReversed().find(({ base }) => url.startsWith(`${base}/`));
  return {
    pathways,
    of: (url) => find(url)?.id ?? null,
    to(url, wanted, keepsQuery) {
      const from = find(url);
      const to = pathways.find(({ id }) => id === wanted);
      if (!from || !to || from === to) return url;
      const usesFolders = hasFolder(from) || hasFolder(to);
      const replaced = (pathway: PlacedPathway): string =>
        usesFolders && pathway === main ? folder : pathway.base;
      if (!url.startsWith(`${replaced(from)}/`)) return url;
      const file = url.slice(replaced(from).length);
      return replaced(to) + (keepsQuery ? file : withoutQuery(file));
    },
  };
}

/** CMCD says what the player does (CTA-5004): it is of use to every server, and no secret of the first one. */
function withoutQuery(file: string): string {
  const [path = '', query = ''] = file.split(/\?(.*)/s);
  const cmcd = query.split('&').find((each) => each.startsWith('CMCD='));
  return cmcd === undefined ? path : `${path}?${cmcd}`;
}
