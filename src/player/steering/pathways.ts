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
  const [, id, address] = /^([^=]*)=(.*)$/s.exec(text.trim()) ?? [];
  if (id === undefined || address === undefined)
    return failed(`The pathway “${text}” is not of the form tcp=https://tcp.cdn.example.`);
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id) || id.length > 40)
    return failed(`The pathway “${text}” has no id of small letters, digits and hyphens before the “=”.`);
  if (id === MAIN) return failed(`The pathway “${MAIN}” is that of the MPD: give this one another id.`);
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    return failed(
      `The pathway ${id} leads to “${address}”, which is not an address such as https://tcp.cdn.example.`,
    );
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    return failed(`The pathway ${id} is a server, or a folder of one: “${address}” says more.`);
  return ok({ id, base: `${url.origin}${url.pathname.replace(/\/+$/, '')}`, carries: carriedBy(id) });
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
  /** The same file over another pathway; the URL itself for one of none. `keepsQuery` false leaves its query away. */
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
      const baseOf = (pathway: PlacedPathway): string =>
        usesFolders && pathway === main ? folder : pathway.base;
      if (!url.startsWith(`${baseOf(from)}/`)) return url;
      const file = url.slice(baseOf(from).length);
      return baseOf(to) + (keepsQuery ? file : file.replace(/\?.*$/s, ''));
    },
  };
}
