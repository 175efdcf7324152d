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
  // Also for the command line: Node 20 has no URL.parse.
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    return failed(`leads to “${address}”, which is not an address such as https://tcp.cdn.example.`);
  if ([url.username, url.password, url.search, url.hash].some((part) => part !== ''))
    return failed(`is a server, or a folder of one: “${address}” says more.`);
  return ok(`${url.origin}${url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname}`);
}

/** What an id says, in a link and as `BaseURL@serviceLocation` alike. */
export const carriedBy = (id: string): Pathway['carries'] => (/^tcp(-|$)/.test(id) ? 'tcp' : 'any');

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
