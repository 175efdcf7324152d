import { originOf } from '../../analysis/diagnostics/format.ts';
import { hostOf, pathOf, isWebPage, nameOf, nothing, servedFiles, type Served } from '../answers.ts';
import type { Check } from '../check.ts';
import type { Answer, Evidence } from '../evidence.ts';
import {
  cacheLiveFix,
  cacheMediaFix,
  compressManifestFix,
  elsewhere,
  httpsFix,
  lengthFix,
  notFoundFix,
  plainMediaFix,
  rangesFix,
  sameEtagFix,
  typeFix,
  validatorFix,
} from '../fixes.ts';
import { formatSize } from '../../shared/format.ts';

const about = { topic: 'files', needs: ['answers'] } as const;

export const noAnswer: Check = {
  ...about,
  id: 'no-answer',
  label: 'answers',
  severity: 'problem',
  why: 'Nothing plays.',
  fix: elsewhere('start the server, and let TCP reach its port'),
  run: ({ files }) =>
    files.flatMap((file) => (file.whole === null ? [`${nameOf(file)} does not answer (${file.error})`] : [])),
};

export const badStatus: Check = {
  ...about,
  id: 'bad-status',
  label: 'status',
  severity: 'problem',
  why: 'A player needs the file and does not get it.',
  fix: elsewhere('put the file in its place, or correct the address (in the manifest or in the link)'),
  run: ({ files }) =>
    files.flatMap((file) =>
      file.whole !== null && file.whole.status !== 200
        ? [`${nameOf(file)} answers ${file.whole.status} for ${pathOf(file.whole.url)}`]
        : [],
    ),
};

export const toHttp: Check = {
  ...about,
  id: 'to-http',
  label: 'redirects to http',
  severity: 'problem',
  why: 'A page over https may not follow it (mixed content), and http has neither h2 nor h3.',
  fix: httpsFix,
  run: ({ files }) =>
    files.flatMap(({ url, whole }) =>
      url.startsWith('https:') && whole?.url.startsWith('http:')
        ? [`${hostOf(url)} redirects to ${originOf(whole.url)}, without TLS`]
        : [],
    ),
};

export const mediaRedirect: Check = {
  ...about,
  id: 'media-redirect',
  label: 'redirects of media',
  severity: 'warning',
  why: 'Each segment costs one more round trip, and the protocol is that of another host.',
  fix: elsewhere('name the final address in the manifest (BaseURL), or redirect the manifest alone'),
  run: ({ files }) =>
    files.flatMap((file) =>
      file.kind === 'media' && file.hops.length > 0
        ? [
            `${hostOf(file.url)} redirects media to ${hostOf(file.whole?.url ?? file.url)} (${file.hops[0]!.status})`,
          ]
        : [],
    ),
};

export const webPage: Check = {
  ...about,
  id: 'web-page',
  label: 'web pages in place of files',
  severity: 'problem',
  why: 'The server answers 200 with a page for what it does not have. A player cannot decode it, and caches keep it.',
  fix: notFoundFix,
  run: (evidence) =>
    servedFiles(evidence)
      .filter(({ whole }) => isWebPage(whole))
      .map((file) => `${nameOf(file)} answers with a web page for ${pathOf(file.whole.url)}`),
};

export const pageForMissing: Check = {
  ...about,
  id: 'page-for-missing',
  label: 'answers for missing files',
  needs: ['answers', 'missing'],
  severity: 'warning',
  why: 'A player that asks too early, or for a segment that is gone, gets something that it cannot decode in place of a 404.',
  fix: notFoundFix,
  run: (evidence) =>
    servedFiles(evidence)
      .filter(
        ({ whole, missing, failed }) => !isWebPage(whole) && (failed?.missing ?? missing?.status === 200),
      )
      .map(
        (file) =>
          `${nameOf(file)} answers ${file.missing ? 200 : nothing(file.failed!.missing!)} for a file that is not there`,
      ),
};

const TYPES: Readonly<Record<string, RegExp>> = {
  mpd: /^application\/dash\+xml\b/i,
  m3u8: /^(application\/vnd\.apple\.mpegurl|application\/x-mpegurl|audio\/(x-)?mpegurl)\b/i,
  m4s: /^(video|audio)\/|^application\/mp4\b/i,
  mp4: /^(video|audio)\/|^application\/mp4\b/i,
};

export const wrongType: Check = {
  ...about,
  id: 'wrong-type',
  label: 'Content-Type',
  severity: 'warning',
  why: 'Players by URL take their choice of DASH or HLS from it, CDNs decide by it about compression, and some devices refuse another type.',
  fix: typeFix,
  run: (evidence) =>
    servedFiles(evidence)
      .filter(({ whole }) => !isWebPage(whole))
      .flatMap((file) => {
        const type = file.whole.headers['content-type'] ?? 'none';
        const ending = /\.(\w+)$/.exec(pathOf(file.whole.url))?.[1]?.toLowerCase() ?? '';
        const expected = TYPES[ending];
        return expected && !expected.test(type)
          ? [`${nameOf(file)} sends .${ending} as Content-Type ${type}`]
          : [];
      }),
};

const mediaOf = (evidence: Evidence): Served[] =>
  servedFiles(evidence, 'media').filter(({ whole }) => !isWebPage(whole));

export const noRanges: Check = {
  ...about,
  id: 'no-ranges',
  label: 'byte ranges',
  needs: ['answers', 'range'],
  severity: 'warning',
  why: 'Streams in one file for each level do not play, seeking loads whole files, and a broken download begins anew.',
  fix: rangesFix,
  run: (evidence) =>
    mediaOf(evidence)
      .filter(({ range, failed }) => (range ? range.status !== 206 : failed?.range))
      .map(
        (file) =>
          `${nameOf(file)} answers a byte range with ${file.range?.status ?? nothing(file.failed!.range!)}`,
      ),
};

/** The range that is asked for: RFC 9110, section 14.4. */
const RANGE = /^bytes 4-(\d+)\/(\d+|\*)$/;

export const wrongRange: Check = {
  ...about,
  id: 'wrong-range',
  label: 'content of byte ranges',
  needs: ['answers', 'range'],
  severity: 'problem',
  why: 'A player takes other bytes for those that it has asked for, and cannot decode them.',
  fix: rangesFix,
  run: (evidence) =>
    mediaOf(evidence).flatMap((file) => {
      const { range, whole } = file;
      if (range?.status !== 206) return [];
      const said = range.headers['content-range'] ?? 'none';
      if (!RANGE.test(said)) return [`${nameOf(file)} answers bytes 4 to 99 with Content-Range ${said}`];
      const isPlain = whole.headers['content-encoding'] === undefined;
      const isSame = whole.start
        .slice(4)
        .startsWith(range.start.slice(0, Math.max(0, whole.start.length - 4)));
      return isPlain && !isSame
        ? [`${nameOf(file)} answers bytes 4 to 99 with other bytes than the whole file has there`]
        : [];
    }),
};

export const noValidator: Check = {
  ...about,
  id: 'no-validator',
  label: 'ETag and Last-Modified',
  severity: 'note',
  why: 'Caches can only load the file again where they could ask whether it has changed.',
  fix: validatorFix,
  run: (evidence) =>
    mediaOf(evidence)
      .filter(
        ({ whole: { headers } }) => headers['etag'] === undefined && headers['last-modified'] === undefined,
      )
      .map((file) => `${nameOf(file)} sends neither ETag nor Last-Modified`),
};

export const no304: Check = {
  ...about,
  id: 'no-304',
  label: 'answers to conditions (304)',
  needs: ['answers', 'again'],
  severity: 'warning',
  why: 'Caches load the whole file again, although they have it.',
  fix: validatorFix,
  run: (evidence) =>
    mediaOf(evidence)
      .filter((file) => file.failed?.again ?? (file.again?.status === 200 && !hasOtherEtag(file)))
      .map(
        (file) =>
          `${nameOf(file)} sends ${file.again ? 'the whole file' : nothing(file.failed!.again!)} to a client that names the file’s own ETag or date`,
      ),
};

/** Whether the first two answers about a file name different versions of it. */
const hasOtherEtag = ({ range, again, whole }: Served): boolean => {
  const tags = [whole, range, again].flatMap((each) => strong(each) ?? []);
  return new Set(tags).size > 1;
};

/** The tag without what says that it is weak, and what servers add for a coding (RFC 9110, section 8.8.3). */
const strong = (answer: Answer | null): string | null =>
  answer?.headers['etag']?.replace(/^W\//, '').replace(/-(?:gzip|br|zstd|deflate)"$/, '"') ?? null;

export const changingEtag: Check = {
  ...about,
  id: 'changing-etag',
  label: 'ETag of the same file',
  needs: ['answers', 'range'],
  severity: 'warning',
  why: 'Caches take the file for another one each time; a broken download cannot go on (If-Range).',
  fix: sameEtagFix,
  run: (evidence) =>
    mediaOf(evidence)
      .filter((file) => file.whole.headers['content-encoding'] === undefined && hasOtherEtag(file))
      .map((file) => `${nameOf(file)} sends another ETag for the same file from request to request`),
};

/** How long a cache may give the answer to others, s; null where the server does not say. RFC 9111, section 5.2.2. */
function keptSeconds({ headers }: Answer): number | null {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/\b(no-store|no-cache|private)\b/.test(control)) return 0;
  const age = /\bs-maxage=(\d+)/.exec(control) ?? /\bmax-age=(\d+)/.exec(control);
  return age ? Number(age[1]) : null;
}

export const uncachedMedia: Check = {
  ...about,
  id: 'uncached-media',
  label: 'caching of media',
  severity: 'note',
  why: 'Every viewer’s request goes to the origin: no CDN and no browser may keep the segment.',
  fix: cacheMediaFix,
  run: (evidence) =>
    mediaOf(evidence)
      .filter(({ whole }) => keptSeconds(whole) === 0)
      .map(
        (file) =>
          `${nameOf(file)} forbids caches to keep media (Cache-Control: ${file.whole.headers['cache-control']})`,
      ),
};

export const staleManifest: Check = {
  ...about,
  id: 'stale-manifest',
  label: 'caching of a live manifest',
  needs: ['answers', 'stream'],
  severity: 'problem',
  why: 'Viewers get an old manifest. They fall behind the live edge, or stall when no new segment comes.',
  fix: cacheLiveFix,
  run: (evidence) => {
    const { stream } = evidence;
    if (!stream?.isLive || stream.updateSeconds === null) return [];
    const limit = Math.max(1, stream.updateSeconds);
    return servedFiles(evidence, 'manifest')
      .filter(({ whole }) => (keptSeconds(whole) ?? 0) > limit)
      .map(
        (file) =>
          `${nameOf(file)} lets caches keep the live manifest for ${keptSeconds(file.whole)} s, but it changes every ${stream.updateSeconds} s`,
      );
  },
};

export const codedMedia: Check = {
  ...about,
  id: 'coded-media',
  label: 'compression of media',
  severity: 'warning',
  why: 'Media are compressed already: it costs the server time, removes Content-Length, and breaks byte ranges.',
  fix: plainMediaFix,
  run: (evidence) =>
    mediaOf(evidence)
      .filter(({ whole: { headers } }) => !/^(|identity)$/.test(headers['content-encoding'] ?? ''))
      .map(
        (file) =>
          `${nameOf(file)} compresses media (Content-Encoding: ${file.whole.headers['content-encoding']})`,
      ),
};

const MIN_COMPRESSED_BYTES = 10_000;

export const plainManifest: Check = {
  ...about,
  id: 'plain-manifest',
  label: 'compression of the manifest',
  needs: ['answers', 'stream'],
  severity: 'note',
  why: 'The manifest is text and shrinks to a tenth. It is loaded before everything else, and again and again in a live stream.',
  fix: compressManifestFix,
  run: (evidence) =>
    servedFiles(evidence, 'manifest')
      .filter(
        ({ whole }) =>
          whole.readBytes > MIN_COMPRESSED_BYTES && whole.headers['content-encoding'] === undefined,
      )
      .map((file) => `${nameOf(file)} sends ${formatSize(file.whole.readBytes)} without compression`),
};

export const noLength: Check = {
  ...about,
  id: 'no-length',
  label: 'Content-Length of media',
  severity: 'note',
  why: 'A player cannot know how much of a segment has come, and CDNs answer no byte range of it.',
  fix: lengthFix,
  run: (evidence) =>
    evidence.stream?.isLive
      ? []
      : mediaOf(evidence)
          .filter(({ whole: { headers } }) => headers['content-length'] === undefined)
          .filter(({ whole: { headers } }) => headers['content-encoding'] === undefined)
          .map(
            (file) =>
              `${nameOf(file)} sends media without Content-Length${file.whole.headers['transfer-encoding'] ? ' (chunked)' : ''}`,
          ),
};
