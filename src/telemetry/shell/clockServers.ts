import type { MediaPlayerClass } from 'dashjs';
import { parseUrl } from './parseUrl.ts';

/** `UTCTiming` as dash.js hands it on. */
interface UtcTiming {
  readonly schemeIdUri?: string;
  /** dash.js' parser makes a Date of what looks like one: the scheme "direct" (parser/matchers/DateTimeMatcher.js). */
  readonly value?: string | Date;
}

/** What a manifest says of its clocks. */
export interface ClockManifest {
  readonly UTCTiming?: readonly UtcTiming[];
  /** Address of the manifest without its file: dash.js resolves clocks against it where the MPD names no other. */
  readonly baseUri?: string;
}

/** A server that dash.js asks for the time. */
export interface ClockServer {
  readonly scheme: string;
  /** Its address without query and fragment (`placeOf`). */
  readonly place: string;
}

/** Lists the clock servers of a manifest, then the player's own one, in the order in which dash.js asks them. */
export function clockServers(player: MediaPlayerClass, manifest: ClockManifest | null): ClockServer[] {
  const { scheme, value } = player.getSettings().streaming?.utcSynchronization?.defaultTimingSource ?? {};
  return [
    ...(manifest?.UTCTiming ?? []).flatMap((timing) => serversOf(timing, manifest?.baseUri)),
    ...serversOf({ schemeIdUri: scheme ?? '', value: value ?? '' }),
  ];
}

/** ISO/IEC 23009-1 allows a list of addresses separated by white space. Only the http schemes name addresses. */
function serversOf({ schemeIdUri = '', value = '' }: UtcTiming, base?: string): ClockServer[] {
  const scheme = schemeOf(schemeIdUri);
  if (typeof value !== 'string' || !scheme?.startsWith('http-')) return [];
  return (value.match(/\S+/g) ?? []).map((url) => ({ scheme, place: placeOf(url, base) }));
}

/** `http-iso` of `urn:mpeg:dash:utc:http-iso:2014`; null for what is no scheme of a clock. */
export const schemeOf = (schemeIdUri: string): string | null =>
  /:utc:([\w-]+):\d+$/.exec(schemeIdUri)?.[1] ?? null;

/** The address without query and fragment: dash.js adds query parameters (CMCD to licences). */
export function placeOf(url: string, base = document.baseURI): string {
  const parsed = parseUrl(url, base);
  return parsed ? parsed.origin + parsed.pathname : url;
}
