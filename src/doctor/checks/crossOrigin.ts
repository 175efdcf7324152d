import { hostOf, isForeign, isReadable, isTimed, nameOf, servedFiles, type Served } from '../answers.ts';
import type { Check } from '../check.ts';
import type { Answer, Evidence } from '../evidence.ts';
import {
  corsFix,
  corsOnceFix,
  errorHeadersFix,
  exposeFix,
  maxAgeFix,
  preflightFix,
  timingFix,
  varyFix,
} from '../fixes.ts';

const about = { topic: 'cross-origin', needs: ['answers'] } as const;
const ACAO = 'access-control-allow-origin';

/** Origins of CORS values: more than one is no value (Fetch standard, CORS check). */
const originsIn = ({ headers }: Answer): string[] =>
  (headers[ACAO] ?? '').split(',').flatMap((each) => (each.trim() === '' ? [] : [each.trim()]));

/** Files of other origins than the page's: the others need no permission. */
const foreignFiles = (evidence: Evidence): Served[] =>
  servedFiles(evidence).filter(({ whole }) => isForeign(whole, evidence.pageOrigin));

/** Of these, files that pages may read. */
const openFiles = (evidence: Evidence): Served[] =>
  foreignFiles(evidence).filter(({ whole }) => isReadable(whole, evidence.pageOrigin));

/** Names who is not allowed. */
const formatPages = ({ origin }: Answer, pageOrigin: string): string =>
  origin ? 'null, the origin after the redirect' : `pages of ${pageOrigin}`;

export const noCors: Check = {
  ...about,
  id: 'no-cors',
  label: 'Access-Control-Allow-Origin',
  severity: 'problem',
  why: 'A player in a page of another site may not read the files. Nothing plays.',
  fix: corsFix,
  run: (evidence) =>
    foreignFiles(evidence)
      .filter(({ whole }) => originsIn(whole).length === 0)
      .map((file) => `${nameOf(file)} sends no Access-Control-Allow-Origin`),
};

export const otherCors: Check = {
  ...about,
  id: 'other-cors',
  label: 'origin in Access-Control-Allow-Origin',
  severity: 'problem',
  why: 'Only pages of the named site may read the files.',
  fix: corsOnceFix,
  run: (evidence) =>
    foreignFiles(evidence)
      .filter(({ whole }) => originsIn(whole).length === 1 && !isReadable(whole, evidence.pageOrigin))
      .map(
        (file) =>
          `${nameOf(file)} allows ${file.whole.headers[ACAO]}, not ${formatPages(file.whole, evidence.pageOrigin)}`,
      ),
};

export const twoCors: Check = {
  ...about,
  id: 'two-cors',
  label: 'number of Access-Control-Allow-Origin',
  severity: 'problem',
  why: 'Browsers take more than one value for none: no page may read the files.',
  fix: corsOnceFix,
  run: (evidence) =>
    foreignFiles(evidence)
      .filter(({ whole }) => originsIn(whole).length > 1)
      .map(
        (file) =>
          `${nameOf(file)} sends several values of Access-Control-Allow-Origin (${file.whole.headers[ACAO]})`,
      ),
};

export const redirectCors: Check = {
  ...about,
  id: 'redirect-cors',
  label: 'CORS of redirects',
  severity: 'problem',
  why: 'Every answer on the way needs the permission, or the page may not read what comes at the end.',
  fix: corsOnceFix,
  run: (evidence) =>
    evidence.files.flatMap(({ hops }) =>
      hops
        .filter((hop) => isForeign(hop, evidence.pageOrigin) && !isReadable(hop, evidence.pageOrigin))
        .map(
          (hop) =>
            `${hostOf(hop.url)} answers ${hop.status} without Access-Control-Allow-Origin for ${formatPages(hop, evidence.pageOrigin)}`,
        ),
    ),
};

export const noVary: Check = {
  ...about,
  id: 'no-vary',
  label: 'Vary: Origin',
  severity: 'warning',
  why: 'A cache gives the answer for one site to pages of another one, which may then not read it.',
  fix: varyFix,
  run: (evidence) =>
    foreignFiles(evidence)
      .filter(({ whole }) => whole.headers[ACAO] === (whole.origin ?? evidence.pageOrigin))
      .filter(({ whole }) => !/(?:^|,)\s*(?:origin|\*)\s*(?:,|$)/i.test(whole.headers['vary'] ?? ''))
      .map((file) => `${nameOf(file)} names one origin in Access-Control-Allow-Origin without Vary: Origin`),
};

export const errorCors: Check = {
  ...about,
  id: 'error-cors',
  label: 'CORS of errors',
  needs: ['answers', 'missing'],
  severity: 'note',
  why: 'A player sees a failed connection in place of a 404, and cannot choose what to do by the status.',
  fix: errorHeadersFix,
  run: (evidence) =>
    openFiles(evidence)
      .filter(({ missing }) => missing !== null && missing.status >= 400 && originsIn(missing).length === 0)
      .map((file) => `${nameOf(file)} sends ${file.missing!.status} without Access-Control-Allow-Origin`),
};

/** Fetch standard, CORS-preflight fetch. */
const allowsHeader = (preflight: Answer, pageOrigin: string): boolean =>
  preflight.status >= 200 &&
  preflight.status < 300 &&
  isReadable(preflight, pageOrigin) &&
  (preflight.headers['access-control-allow-headers'] ?? '')
    .toLowerCase()
    .split(',')
    .some((each) => each.trim() === '*' || each.trim() === 'cmcd-request');

export const noPreflight: Check = {
  ...about,
  id: 'no-preflight',
  label: 'preflights',
  needs: ['answers', 'preflight'],
  severity: 'warning',
  why: 'A request with a header of its own (CMCD-Request, a token) is preceded by OPTIONS. Where that is refused, the request fails.',
  fix: preflightFix,
  run: (evidence) =>
    openFiles(evidence)
      .filter(({ preflight, failed }) =>
        preflight ? !allowsHeader(preflight, evidence.pageOrigin) : failed?.preflight,
      )
      .map(
        (file) =>
          `${nameOf(file)} refuses the preflight for the header CMCD-Request (${file.failed?.preflight ?? `status ${file.preflight!.status}`})`,
      ),
};

export const noPreflightAge: Check = {
  ...about,
  id: 'no-preflight-age',
  label: 'life of preflights',
  needs: ['answers', 'preflight'],
  severity: 'note',
  why: 'Browsers keep a preflight for 5 s without it. Requests with headers of their own then cost two round trips nearly always.',
  fix: maxAgeFix,
  run: (evidence) =>
    openFiles(evidence)
      .filter(({ preflight }) => preflight && allowsHeader(preflight, evidence.pageOrigin))
      .filter(({ preflight }) => preflight!.headers['access-control-max-age'] === undefined)
      .map((file) => `${nameOf(file)} answers the preflight without Access-Control-Max-Age`),
};

export const noTiming: Check = {
  ...about,
  id: 'no-timing',
  label: 'Timing-Allow-Origin',
  severity: 'warning',
  why: 'A page sees neither protocol nor phases nor sizes of its requests, so that nobody can tell h3 from h2 in the field.',
  fix: timingFix,
  run: (evidence) =>
    foreignFiles(evidence)
      .filter(({ whole }) => !isTimed(whole, evidence.pageOrigin))
      .map(
        (file) =>
          `${nameOf(file)} sends no Timing-Allow-Origin for ${formatPages(file.whole, evidence.pageOrigin)}`,
      ),
};

export const redirectTiming: Check = {
  ...about,
  id: 'redirect-timing',
  label: 'Timing-Allow-Origin of redirects',
  severity: 'warning',
  why: 'Every answer on the way needs the header, or the page sees no times of the request.',
  fix: timingFix,
  run: (evidence) =>
    foreignFiles(evidence)
      .filter(({ whole }) => isTimed(whole, evidence.pageOrigin))
      .flatMap(({ hops }) =>
        hops
          .filter((hop) => isForeign(hop, evidence.pageOrigin) && !isTimed(hop, evidence.pageOrigin))
          .map(({ url, status }) => `${hostOf(url)} answers ${status} without Timing-Allow-Origin`),
      ),
};

/** Headers that a player can use, and may not read without being named. */
const USEFUL = ['server-timing', 'cmsd-static', 'cmsd-dynamic'];

export const hiddenHeaders: Check = {
  ...about,
  id: 'hidden-headers',
  label: 'Access-Control-Expose-Headers',
  severity: 'note',
  why: 'The server sends them for players, and the browser hides them.',
  fix: exposeFix,
  run: (evidence) =>
    foreignFiles(evidence).flatMap((file) => {
      const { headers } = file.whole;
      const exposed = (headers['access-control-expose-headers'] ?? '')
        .toLowerCase()
        .split(',')
        .map((name) => name.trim());
      const hidden = USEFUL.filter(
        (name) => name in headers && !exposed.includes(name) && !exposed.includes('*'),
      );
      return hidden.length === 0 ? [] : [`${nameOf(file)} does not let a page read ${hidden.join(', ')}`];
    }),
};
