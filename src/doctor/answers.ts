import { originOf } from '../analysis/diagnostics/format.ts';
import type { Answer, Evidence, FileEvidence } from './evidence.ts';

/** An alternative of Alt-Svc (RFC 7838). */
interface Alternative {
  readonly protocol: string;
  /** Empty: the host of the origin. */
  readonly host: string;
  readonly port: number;
  readonly maxAgeSeconds: number;
}

/** RFC 7838, section 3.1. */
const DEFAULT_MAX_AGE_S = 86_400;

/** Reads a header Alt-Svc; empty for `clear`. */
export const readAltSvc = (value: string): Alternative[] =>
  value.split(',').flatMap((entry) => {
    const [, protocol, host, port] = /^([\w%-]+)="([^"]*):(\d+)"/.exec(entry.trim()) ?? [];
    if (protocol === undefined) return [];
    const maxAgeSeconds = Number(/;\s*ma=(\d+)/.exec(entry)?.[1] ?? DEFAULT_MAX_AGE_S);
    return [{ protocol, host: host!, port: Number(port), maxAgeSeconds }];
  });

/** Returns host and, where it is not the one of the scheme, port of an address. */
export const hostOf = (url: string): string => originOf(url).replace(/^[^:]*:\/\/(?:.*@)?/, '');

/** Returns the port of an address. */
export const portOf = (url: string): number =>
  Number(/:(\d+)$/.exec(hostOf(url))?.[1] ?? (url.startsWith('http:') ? 80 : 443));

/** Returns the path of an address, without its query. */
export const pathOf = (url: string): string =>
  url.replace(/^[^:]*:\/\/[^/?#]*/, '').split(/[?#]/, 1)[0] || '/';

/** Returns what a file is called in sentences: `cdn.example (media)`. */
export const nameOf = ({ kind, url, whole }: FileEvidence): string =>
  `${hostOf(whole?.url ?? url)} (${kind})`;

/** Returns what a server answers that gives no answer, after `answers` in sentences. */
export const nothing = (error: string): string => `nothing (${error})`;

/** Returns files whose server answered with what was asked for. */
export const servedFiles = ({ files }: Evidence, kind?: FileEvidence['kind']): Served[] =>
  files.filter(
    (file): file is Served =>
      file.whole !== null && file.whole.status === 200 && (kind === undefined || file.kind === kind),
  );

export type Served = FileEvidence & { readonly whole: Answer };

/** Answers that a page gets on its way to a file. */
export const answersTo = ({ hops, whole }: FileEvidence): Answer[] => [...hops, ...(whole ? [whole] : [])];

/** Whether a page needs permission for an answer. */
export const isForeign = ({ url, origin }: Answer, pageOrigin: string): boolean =>
  origin !== undefined || originOf(url) !== pageOrigin;

/** Whether an answer of another origin permits a page to read it (Fetch standard, CORS check). */
export const isReadable = ({ headers, origin }: Answer, pageOrigin: string): boolean =>
  ['*', origin ?? pageOrigin].includes(headers['access-control-allow-origin'] ?? '');

/** Whether an answer of another origin permits a page to see its times (Resource Timing: a list of origins, or `*`). */
export const isTimed = ({ headers, origin }: Answer, pageOrigin: string): boolean =>
  (headers['timing-allow-origin'] ?? '')
    .split(',')
    .some((each) => ['*', origin ?? pageOrigin].includes(each.trim()));

/** Whether an answer is a web page. */
export const isWebPage = ({ start }: Answer): boolean => /^\s*<(?:!doctype html|html)\b/i.test(start);
