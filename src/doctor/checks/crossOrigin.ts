import { allows, foreignAnswers, hostOf, nameOf, servedFiles, type Served } from '../answers.ts';
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

/** A file that pages need permission for, with the origin that the browser names to its server. */
type Foreign = Served & { readonly origin: string };

const foreignFiles = (evidence: Evidence): Foreign[] =>
  servedFiles(evidence).flatMap((file) =>
    foreignAnswers(file, evidence.pageOrigin)
      .slice(-1)
      .map(({ origin }) => ({ ...file, origin })),
  );

/** Files of other origins that pages may read. */
const allowedFiles = (evidence: Evidence): Foreign[] =>
  foreignFiles(evidence).filter(({ whole, origin }) => allows(whole.headers[ACAO], origin));

/** Names who is not allowed. */
const formatPages = (origin: string): string =>
  origin === 'null'
    ? 'the origin null, which browsers name after a redirect from one server to another'
    : `pages of ${origin}`;

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
      .filter(({ whole, origin }) => originsIn(whole).length === 1 && !allows(whole.headers[ACAO], origin))
      .map((file) => `${nameOf(file)} allows ${file.whole.headers[ACAO]}, not ${formatPages(file.origin)}`),
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
    evidence.files.flatMap((file) =>
      foreignAnswers(file, evidence.pageOrigin)
        .filter(({ answer }) => answer !== file.whole)
        .filter(({ answer, origin }) => originsIn(answer).length !== 1 || !allows(answer.headers[ACAO], origin))
        .map(
          ({ answer: { url, status }, origin }) =>
            `${hostOf(url)} answers ${status} without Access-Control-Allow-Origin for ${formatPages(origin)}`,
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
      .filter(({ whole, origin }) => whole.headers[ACAO] === origin)
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
    allowedFiles(evidence)
      .filter(({ missing }) => missing !== null && missing.status >= 400 && originsIn(missing).length === 0)
      .map((file) => `${nameOf(file)} sends ${file.missing!.status} without Access-Control-Allow-Origin`),
};

/** Fetch standard, CORS-preflight fetch. */
const allowsHeader = ({ preflight, origin }: Foreign): boolean =>
  preflight !== null &&
  preflight.status >= 200 &&
  preflight.status < 300 &&
  allows(preflight.headers[ACAO], origin) &&
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
    allowedFiles(evidence)
      .filter((file) => (file.preflight ?? file.failed?.preflight) && !allowsHeader(file))
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
    allowedFiles(evidence)
      .filter(allowsHeader)
      .filter(({ preflight }) => preflight!.headers['access-control-max-age'] === undefined)
      .map((file) => `${nameOf(file)} answers the preflight without Access-Control-Max-Age`),
};

const TAO = 'timing-allow-origin';

export const noTiming: Check = {
  ...about,
  id: 'no-timing',
  label: 'Timing-Allow-Origin',
  severity: 'warning',
  why: 'A page sees neither protocol nor phases nor sizes of its requests, so that nobody can tell h3 from h2 in the field.',
  fix: timingFix,
  run: (evidence) =>
    foreignFiles(evidence)
      .filter(({ whole, origin }) => !allows(whole.headers[TAO], origin))
      .map((file) => `${nameOf(file)} sends no Timing-Allow-Origin for ${formatPages(file.origin)}`),
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
      .filter(({ whole, origin }) => allows(whole.headers[TAO], origin))
      .flatMap((file) =>
        foreignAnswers(file, evidence.pageOrigin)
          .filter(({ answer, origin }) => !allows(answer.headers[TAO], origin))
          .map(({ answer: { url, status } }) => `${hostOf(url)} answers ${status} without Timing-Allow-Origin`),
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
