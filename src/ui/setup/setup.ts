import { FILE_PARAMETERS } from '../../abr/parameters.ts';
import { parseRuleText } from '../../abr/ruleText.ts';
import type { PlayerSetup } from '../../player/player.ts';
import type { Parameters } from '../../shared/parameters.ts';
import type { Entry } from '../../shared/registry.ts';
import { failed, ok, type Result } from '../../shared/result.ts';
import { parseViewerScript, type ViewerStep } from '../../shared/viewerScript.ts';

/** What the start form asks for: a player's set-up without the page's own parts. */
export type Setup = Pick<PlayerSetup, 'mpdUrl' | 'rule' | 'presetId'> &
  Required<
    Pick<
      PlayerSetup,
      | 'player'
      | 'cmcd'
      | 'protection'
      | 'origins'
      | 'keepQueryValues'
      | 'seed'
      | 'sizes'
      | 'pathways'
      | 'steering'
      | 'viewerScript'
      | 'split'
    >
  > & {
    /** Loads the weights file of the rule; null when it needs none or none was given. Rejects with one sentence. */
    readonly weights: () => Promise<string | null>;
    /** What is done in the session as by a viewer; empty where nothing is. */
    readonly viewer: readonly ViewerStep[];
  };

type Cmcd = Setup['cmcd'];

/** How the player may tell the CDN what it does (CTA-5004, version 2: CTA-5004-A). */
export const cmcdChoices: readonly (Entry & { readonly cmcd: Cmcd })[] = [
  { id: 'off', label: 'off', cmcd: null },
  { id: 'v1-header', label: 'version 1, request headers', cmcd: { version: 1, mode: 'header' } },
  { id: 'v1-query', label: 'version 1, query', cmcd: { version: 1, mode: 'query' } },
  { id: 'v2-header', label: 'version 2, request headers', cmcd: { version: 2, mode: 'header' } },
  { id: 'v2-query', label: 'version 2, query', cmcd: { version: 2, mode: 'query' } },
];

/** The absolute address of a manifest as typed. */
export const mpdAddress = (typed: string, pageUrl: string): Result<string> =>
  typed.trim() === ''
    ? failed('Enter the address of a DASH manifest (MPD) or an HLS playlist first.')
    : fileAddress(typed, pageUrl);

/**
 * The absolute address of a file as typed. Relative addresses are of this page, a bare host gets https. Only
 * http and https: nothing typed or linked may become `javascript:` or `file:`.
 */
export function fileAddress(typed: string, pageUrl: string): Result<string> {
  const text = typed.trim();
  const bareHost = /^[\w-]+(\.[\w-]+)+(:\d+)?\/\S+$/.test(text) && !text.startsWith('media/');
  const url = URL.parse(bareHost ? `https://${text}` : text, pageUrl);
  if (!url) return failed(`“${text}” is not an address.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return failed(`The address begins with “${url.protocol}”; files are loaded over https: or http:.`);
  if (url.username !== '' || url.password !== '')
    return failed('The address holds a user name or password: use request headers.');
  return ok(url.href);
}

/** One row of the form, as typed. */
export interface OriginRow {
  readonly origin: string;
  /** One "Name: value" a line. */
  readonly headers: string;
  readonly credentials: boolean;
}

// RFC 9110 §5.6.2: a field name is a token.
const HEADER = /^([!#$%&'*+.^_`|~\dA-Za-z-]+):(.*)$/;

/** Request headers and credentials by origin; rows left empty are skipped. */
export function readOrigins(rows: readonly OriginRow[]): Result<Setup['origins']> {
  const origins: Record<string, { headers?: Record<string, string>; credentials?: boolean }> = {};
  for (const row of rows) {
    if (row.origin.trim() === '' && row.headers.trim() === '') continue;
    const url = URL.parse(row.origin.trim());
    if (!url || !/^https?:$/.test(url.protocol))
      return failed(`Request headers: “${row.origin}” is not an origin such as https://cdn.example.`);
    const headers = readHeaders(row.headers, url.origin);
    if (!headers.ok) return headers;
    origins[url.origin] = {
      ...(Object.keys(headers.value).length > 0 && { headers: headers.value }),
      ...(row.credentials && { credentials: true }),
    };
  }
  return ok(origins);
}

function readHeaders(text: string, origin: string): Result<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === undefined || value === undefined)
      return failed(`Request headers of ${origin}: “${line}” is not of the form “Name: value”.`);
    headers[name] = value.trim();
  }
  return ok(headers);
}

/** Key-system settings as typed: a JSON object by key-system id, or nothing. */
export function readProtection(text: string): Result<Setup['protection']> {
  if (text.trim() === '') return ok(null);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('Key-system settings: this is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failed('Key-system settings: this should be an object such as { "com.widevine.alpha": { … } }.');
  const stray = Object.entries(value).find(([, each]) => typeof each !== 'object' || each === null);
  return stray
    ? failed(`Key-system settings: “${stray[0]}” should be an object such as { "serverURL": "https://…" }.`)
    : ok(value as Record<string, unknown>);
}

/** Where a rule's segment sizes shall come from, as typed: nothing, `none`, `head`, or a file beside the MPD. */
export function readSizes(text: string, mpdUrl: string): Result<Setup['sizes']> {
  const typed = text.trim();
  if (typed === '') return ok('stream');
  if (typed === 'none' || typed === 'head') return ok(typed);
  const url = URL.parse(typed, mpdUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    return failed(`Segment sizes: “${typed}” is neither the address of a file nor “head” or “none”.`);
  return ok({ url: url.href });
}

/** The seed as typed: a whole number from 0; 1 when the field is empty. */
export function readSeed(text: string): Result<number> {
  const typed = text.trim() || '1';
  const seed = /^\d{1,15}$/.test(typed) ? Number(typed) : null;
  return seed === null ? failed(`The seed is a whole number from 0, not “${typed}”.`) : ok(seed);
}

/** The viewer's script as typed; no steps when the field is empty. */
export const readViewer = (text: string): Result<readonly ViewerStep[]> =>
  text.trim() === '' ? ok([]) : parseViewerScript(text);

/** What a picker and a field beside it hold, of one text such as `fixed:level=4`. */
interface RuleText {
  readonly id: string;
  /** `level=4`, several joined by `:`; '' for the rule as it comes. */
  readonly parameters: string;
}

export function splitRuleText(text: string): RuleText {
  const { id, settings } = parseRuleText(text);
  return { id, parameters: settings.join(':') };
}

/** People separate parameters by commas or spaces as well. */
export function formatRuleText({ id, parameters }: RuleText): string {
  const settings = parameters.split(/[:,;\s]+/).filter((setting) => setting !== '');
  return [id, ...settings].join(':');
}

/** What can be set of a rule or a preset, as it is now; and as it would be typed. `nothing` is said where that is nothing. */
export function describeParameters(
  entry: { readonly parameters: Parameters; readonly tuned?: unknown } | undefined,
  nothing: string,
): { readonly about: string; readonly example: string } {
  const settings = Object.entries(entry?.parameters ?? {})
    .filter(([name]) => !FILE_PARAMETERS.includes(name))
    .map(([name, value]) => `${name}=${value}`);
  if (!entry?.tuned || settings.length === 0) return { about: nothing, example: '' };
  return { about: `Defaults: ${settings.join(', ')}.`, example: settings[0] ?? '' };
}
