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
export const answersTo = ({ hops, whole }: Pick<FileEvidence, 'hops' | 'whole'>): Answer[] => [...hops, ...(whole ? [whole] : [])];

/**
 * Returns what a browser names as its origin after a redirect: `null` from the first one on that leads from another origin than the
 * page's to one more (Fetch standard, redirect-tainted origin).
 */
export const originAfter = (origin: string, from: string, to: string): string =>
  [origin, originOf(to)].includes(originOf(from)) ? origin : 'null';

/** Answers on the way to a file that a page of another origin needs permission for, each with the origin that it was asked by. */
export function foreignAnswers(
  file: Pick<FileEvidence, 'url' | 'hops' | 'whole'>,
  pageOrigin: string,
): { readonly answer: Answer; readonly origin: string }[] {
  let { url } = file;
  let [origin, isForeign] = [pageOrigin, false];
  return answersTo(file).flatMap((answer) => {
    origin = originAfter(origin, url, answer.url);
    url = answer.url;
    isForeign ||= originOf(url) !== pageOrigin;
    return isForeign ? [{ answer, origin }] : [];
  });
}

/** Whether a header that lists origins names one (Fetch and Resource Timing: `*`, or the origin itself). */
export const allows = (value: string | undefined, origin: string): boolean =>
  (value ?? '').split(',').some((each) => each.trim() === '*' || each.trim() === origin);

/** Whether an answer is a web page. */
export const isWebPage = ({ start }: Answer): boolean => /^\s*<(?:!doctype html|html)\b/i.test(start);
