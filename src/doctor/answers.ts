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

/** Returns files whose server answered with what was asked for. */
export const servedFiles = ({ files }: Evidence, kind?: FileEvidence['kind']): Served[] =>
  files.filter(
    (file): file is Served =>
      file.whole !== null && file.whole.status === 200 && (kind === undefined || file.kind === kind),
  );

export type Served = FileEvidence & { readonly whole: Answer };

/** Answers that a page gets on its way to a file. */
export const answersTo = ({ hops, whole }: FileEvidence): Answer[] => [...hops, ...(whole ? [whole] : [])];

/** Whether a header that lists origins names the page's (Fetch and Resource Timing: `*`, or the origin itself). */
export const allows = (value: string | undefined, pageOrigin: string): boolean =>
  (value ?? '').split(',').some((each) => each.trim() === '*' || each.trim() === pageOrigin);

/** Whether an answer is a web page. */
export const isWebPage = ({ start }: Answer): boolean => /^\s*<(?:!doctype html|html)\b/i.test(start);
