import { gzipSync } from 'node:zlib';
import { header, plant, type Plant } from './plants.testing.ts';
import { sendBody, type Change } from './startFiles.testing.ts';

/** Headers that a page needs of a redirect, too. */
const EVERY = ['Access-Control-Allow-Origin', 'Timing-Allow-Origin'];

const isMedia = (url = ''): boolean => url.endsWith('.m4s') && !url.includes('missing');

export const filePlants: readonly Plant[] = [
  plant(
    'media answered with 403',
    {
      'bad-status': /\(media\) answers 403 for \/video-\d\/1\.m4s/,
      'missing-files': /answers 403 for the last segment/,
    },
    { setting: { statuses: [{ path: '\\.m4s$', status: 403 }] }, fix: /in its place/ },
  ),
  plant(
    'a manifest that is not there',
    { 'bad-status': /\(manifest\) answers 404/ },
    { path: '/none.mpd', fix: /in its place/ },
  ),
  plant(
    'a redirect to http',
    { 'to-http': /redirects to http:/, 'insecure-media': /1 server over http/, 'no-tls': /asked over http/ },
    {
      setting: {
        redirect: { from: '^(/old\\.mpd)$', to: 'http://{BEHIND}/manifest.mpd', headers: EVERY },
      },
      files: { answer: open },
      path: '/old.mpd',
      fix: /over https/,
    },
  ),
  plant(
    'media that redirect',
    { 'media-redirect': /redirects media to localhost/ },
    {
      setting: {
        redirect: { from: '^(/video-[0-9]/1\\.m4s)$', to: '/copy$1', headers: EVERY },
      },
      fix: /final address/,
    },
  ),
  plant(
    'web pages in place of segments',
    { 'web-page': /answers with a web page for \/video/ },
    {
      files: {
        answer: (asked, answer) =>
          isMedia(asked.url) &&
          !!answer.writeHead(200, { 'content-type': 'video/mp4' }).end('<!doctype html><title>App</title>'),
      },
      fix: /404/,
    },
  ),
  plant(
    'a web page for what is missing',
    { 'page-for-missing': /answers 200 for a file that is not there/ },
    {
      files: {
        answer: (_, answer, body) =>
          body === null && !!answer.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>'),
      },
      fix: /404/,
    },
  ),
  plant(
    'an MPD as text',
    { 'wrong-type': /sends \.mpd as Content-Type text\/plain/ },
    { ...header('Content-Type', 'text/plain', 'manifests'), fix: /registered/ },
  ),
  plant(
    'no byte ranges',
    { 'no-ranges': /answers a byte range with 200/ },
    { files: { answer: (asked) => isMedia(asked.url) && (delete asked.headers.range, false) }, fix: /206/ },
  ),
  plant(
    'a wrong Content-Range',
    { 'wrong-range': /with Content-Range bytes 0-95\/100/ },
    {
      files: {
        answer: (asked, answer) =>
          isMedia(asked.url) &&
          asked.headers.range === 'bytes=4-99' &&
          !!answer.writeHead(206, { 'content-range': 'bytes 0-95/100' }).end(Buffer.alloc(96)),
      },
      fix: /206/,
    },
  ),
  plant(
    'other bytes in a range',
    { 'wrong-range': /with other bytes than the whole file/ },
    {
      files: {
        answer: (asked, answer) =>
          isMedia(asked.url) &&
          asked.headers.range === 'bytes=4-99' &&
          !!answer.writeHead(206, { 'content-range': 'bytes 4-99/5000' }).end(Buffer.alloc(96)),
      },
      fix: /206/,
    },
  ),
  plant(
    'neither ETag nor date',
    { 'no-validator': /neither ETag nor Last-Modified/ },
    {
      setting: {
        without: [
          { of: 'media', name: 'ETag' },
          { of: 'media', name: 'Last-Modified' },
        ],
      },
      fix: /304/,
    },
  ),
  plant(
    'no 304',
    { 'no-304': /sends the whole file to a client that names/ },
    { files: { answer: (asked) => (delete asked.headers['if-none-match'], false) }, fix: /304/ },
  ),
  plant(
    'an ETag that changes',
    { 'changing-etag': /another ETag for the same file/ },
    {
      files: {
        answer: (asked, answer, body) => isMedia(asked.url) && body !== null && sendWith(asked, answer, body),
      },
      fix: /one ETag/,
    },
  ),
  plant(
    'media that nobody may keep',
    { 'uncached-media': /forbids caches to keep media \(Cache-Control: no-store\)/ },
    { ...header('Cache-Control', 'no-store', 'media'), fix: /caches keep media/ },
  ),
  plant(
    'compressed media',
    { 'coded-media': /compresses media \(Content-Encoding: gzip\)/ },
    {
      files: {
        answer: (asked, answer, body) =>
          isMedia(asked.url) &&
          body !== null &&
          !asked.headers.range &&
          /gzip/.test(asked.headers['accept-encoding'] ?? '') &&
          !!answer
            .writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'video/mp4', etag: '"a-gzip"' })
            .end(gzipSync(body)),
      },
      fix: /not compress/,
    },
  ),
  plant(
    'a large manifest as it is',
    { 'plain-manifest': /sends \d+ kB without compression/ },
    {
      setting: { uncompressed: true },
      files: { text: (text) => `${text}<!-- ${'x'.repeat(20_000)} -->` },
      fix: /compress manifests/,
    },
  ),
  plant(
    'media without a length',
    { 'no-length': /without Content-Length \(chunked\)/ },
    {
      files: {
        answer: (asked, answer, body) =>
          isMedia(asked.url) &&
          body !== null &&
          !asked.headers.range &&
          !asked.headers['if-none-match'] &&
          (answer
            .writeHead(200, { 'content-type': 'video/mp4', 'last-modified': LONG_AGO })
            .write(body.subarray(0, 500)),
          !!answer.end(body.subarray(500))),
      },
      fix: /Content-Length/,
    },
  ),
];

const LONG_AGO = new Date(0).toUTCString();

/** Sends all that pages need, where the server is asked without Caddy in front of it. */
function open(
  asked: { readonly headers: { readonly host?: string | undefined } },
  answer: { setHeader(name: string, value: string): unknown },
): false {
  if (asked.headers.host?.startsWith('localhost')) return false;
  answer.setHeader('access-control-allow-origin', '*');
  answer.setHeader('timing-allow-origin', '*');
  answer.setHeader('access-control-allow-headers', '*');
  answer.setHeader('access-control-max-age', '7200');
  return false;
}

let counted = 0;
const sendWith: NonNullable<Change['answer']> = (asked, answer, body) => {
  answer.setHeader('content-type', 'video/mp4');
  const setHeader = answer.setHeader.bind(answer);
  answer.setHeader = (name, value) => setHeader(name, name === 'etag' ? `"${(counted += 1)}"` : value);
  sendBody(asked, answer, body!);
  return true;
};

/** The test stream as a live one, of which ten segments are there. */
function live({
  clock = '<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="clock"/>',
  update = 2,
} = {}) {
  return (text: string): string =>
    text
      .replace(
        'type="static"',
        `type="dynamic" availabilityStartTime="${new Date(Date.now() - 21_000).toISOString()}" minimumUpdatePeriod="PT${update}S" timeShiftBufferDepth="PT10S"`,
      )
      .replace(/ mediaPresentationDuration="[^"]*"/, '')
      .replace(' duration="PT24S">', '>')
      .replace('</MPD>', `${clock}</MPD>`);
}

const clockAt =
  (offsetMs: number, digits = 24): NonNullable<Change['answer']> =>
  (asked, answer) =>
    asked.url === '/clock' &&
    !!answer.end(new Date(Date.now() + offsetMs).toISOString().slice(0, digits).replace(/Z?$/, 'Z'));
const { setting: short } = header('Cache-Control', 'public, max-age=1');

/** The timeline of the live stream goes on, by number or by time, some of it an hour into its media. */
export const openTimeline = (media: string): ((text: string) => string) => {
  return (text) =>
    live()(text)
      .replace(/ r="1[01]"/g, ' r="-1"')
      .replaceAll('$Number$.m4s', media)
      .replaceAll('timescale="12288"', 'timescale="12288" presentationTimeOffset="44236800"')
      .replaceAll('<S t="0" d="24576"', '<S t="44236800" d="24576"');
};

export const liveStream: Pick<Plant, 'setting' | 'files'> = {
  setting: short,
  files: { text: live(), answer: clockAt(0) },
};

export const manifestPlants: readonly Plant[] = [
  plant(
    'an MPD that is cut off',
    { 'unreadable-manifest': /The MPD cannot be read/ },
    { files: { text: (text) => text.slice(0, 900) }, fix: /correct the manifest/ },
  ),
  plant(
    'a web page as MPD',
    { 'unreadable-manifest': /is a web page/, 'web-page': /\(manifest\) answers with a web page/ },
    { files: { text: () => '<!doctype html><html></html>' }, fix: /404/ },
  ),
  plant(
    'media over http',
    { 'insecure-media': /1 server over http \(http:\/\/127.0.0.1/, 'no-tls': /asked over http/ },
    {
      files: {
        text: (text) => text.replace('<Period', '<BaseURL>http://{BEHIND}/</BaseURL><Period'),
        answer: open,
      },
      fix: /over https/,
    },
  ),
  plant(
    'a level that is missing',
    { 'missing-files': /answers 404 for level video-2 \(300 kbit\/s\)/ },
    {
      setting: { statuses: [{ path: '^/video-2/init\\.mp4$', status: 404 }] },
      fix: /packager and server/,
    },
  ),
  plant(
    'a last segment that is missing',
    { 'missing-files': /answers 404 for the last segment/ },
    {
      setting: { statuses: [{ path: '^/video-1/12\\.m4s$', status: 404 }] },
      fix: /packager and server/,
    },
  ),
  plant(
    'a gap',
    { gaps: /has 1 gap; the first one is 4\.00 s long, at 4\.0 s/ },
    {
      files: {
        text: (text) =>
          text.replace(
            '<S t="0" d="24576" r="11"/>',
            '<S t="0" d="24576" r="1"/><S t="98304" d="24576" r="7"/>',
          ),
      },
      path: '/timeline.mpd',
      fix: /timeline without gaps/,
    },
  ),
  plant(
    'a gap in ticks of the set',
    { gaps: /has 1 gap; the first one is 4\.00 s long, at 4\.0 s/ },
    {
      files: {
        text: (text) =>
          text
            .replace(
              '<S t="0" d="24576" r="11"/>',
              '<S t="0" d="24576" r="1"/><S t="98304" d="24576" r="7"/>',
            )
            .replace('<Representation', '<SegmentTemplate timescale="12288"/><Representation')
            .replaceAll('<SegmentTemplate timescale="12288" init', '<SegmentTemplate init'),
      },
      path: '/timeline.mpd',
      fix: /timeline without gaps/,
    },
  ),
  plant(
    'wrong lengths',
    { 'wrong-lengths': /last 2\.000 s in the media and 2\.500 s in the manifest/ },
    { files: { text: (text) => text.replace(/duration="24576"/g, 'duration="30720"') }, fix: /real length/ },
  ),
  plant(
    'a codec that nobody has',
    { undecodable: /cannot decode video\/mp4; codecs="vp77.00"/ },
    { files: { text: (text) => text.replace('vp09.00.11.08', 'vp77.00') }, needsBrowser: true, fix: /codec/ },
  ),
  plant(
    'a target that is too short',
    { 'long-segments': /A segment lasts 2 s, and EXT-X-TARGETDURATION is 1/ },
    {
      path: '/hls.m3u8',
      files: { text: (text) => text.replace('TARGETDURATION:2', 'TARGETDURATION:1') },
      fix: /longest segment/,
    },
  ),
  plant(
    'no clock',
    { 'no-clock': /names no clock/ },
    { ...liveStream, files: { text: live({ clock: '' }) }, fix: /name a clock/ },
  ),
  plant(
    'a clock that is gone',
    { 'dead-clock': /gives no time \(https:.*\/clock: status 404\)/ },
    { ...liveStream, files: { text: live() }, fix: /clock that answers/ },
  ),
  plant(
    'a clock that is ahead',
    { 'wrong-clock': /is \d+\.\d s ahead of the server/ },
    { ...liveStream, files: { text: live(), answer: clockAt(8000) }, fix: /NTP/ },
  ),
  plant(
    'a clock of whole seconds',
    { 'coarse-clock': /gives whole seconds/ },
    { ...liveStream, files: { text: live(), answer: clockAt(0, 19) }, fix: /fractions/ },
  ),
  plant(
    'a live edge that is not there',
    { 'missing-files': /answers 404 for the newest segment/ },
    {
      ...liveStream,
      files: {
        text: live(),
        answer: (asked, answer, body) =>
          clockAt(0)(asked, answer, body) ||
          (/\/(9|10|11|12)\.m4s/.test(asked.url!) && !!answer.writeHead(404).end()),
      },
      fix: /packager and server/,
    },
  ),
  plant(
    'a live manifest that caches keep',
    { 'stale-manifest': /keep the live manifest for 600 s, but it changes every 2 s/ },
    {
      ...liveStream,
      setting: {
        set: [
          { name: 'Cache-Control', value: 'public, max-age=1' },
          { of: 'manifests', name: 'Cache-Control', value: 'public, max-age=600' },
        ],
      },
      fix: /less than half/,
    },
  ),
];

/** The playlist of one level of the test stream. */
export const HLS = `#EXTM3U
#EXT-X-VERSION:7
#EXT-X-TARGETDURATION:2
#EXT-X-MAP:URI="video-1/init.mp4"
${Array.from({ length: 12 }, (_, index) => `#EXTINF:2,\nvideo-1/${index + 1}.m4s`).join('\n')}
#EXT-X-ENDLIST
`;
