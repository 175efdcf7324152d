import { isForeign, isReadable } from '../../src/doctor/answers.ts';
import type { Answer, Need, StreamFacts, Unknown } from '../../src/doctor/evidence.ts';
import {
  askThrough,
  limitOn,
  LimitReached,
  MANIFEST_BYTES,
  mustBeRead,
  type Asked,
  type Asking,
} from './ask.ts';
import { readDash, type ReadManifest } from './readDash.ts';
import { readMediaPlaylist, readVariants } from './readHls.ts';

/** Returns the kind of manifest that an answer is, by its content, else by what it was asked for; null for another file. */
export function kindOf(url: string, body: Buffer): 'dash' | 'hls' | null {
  const start = body.toString('utf8', 0, 4096);
  if (/<(?:\w+:)?MPD[\s>]/.test(start)) return 'dash';
  if (start.startsWith('#EXTM3U')) return 'hls';
  const { pathname } = new URL(url);
  if (/\.mpd$/i.test(pathname)) return 'dash';
  return /\.m3u8$/i.test(pathname) ? 'hls' : null;
}

/** Reads a manifest, of HLS with the media playlist of its first variant. @throws Error in one sentence */
export async function readManifest(
  kind: 'dash' | 'hls',
  { answer: { url, status, start }, body }: Pick<Asked, 'answer' | 'body'>,
  asking: Asking,
): Promise<ReadManifest> {
  if (status !== 200) throw new Error(`${url}: The server answers ${status}.`);
  if (/^\s*<(?:!doctype html|html)\b/i.test(start)) throw new Error(`${url}: What is there is a web page.`);
  const text = new TextDecoder().decode(body);
  if (kind === 'dash') return readDash(text, url);
  const variants = readVariants(text, url);
  const [first] = variants;
  if (first === undefined) return readMediaPlaylist(text, url, []);
  const playlist = await askThrough(first.url, asking, { limitBytes: MANIFEST_BYTES }).catch(
    (error: Error) => {
      throw error instanceof LimitReached ? error : new Error(`${first.url}: ${error.message}`);
    },
  );
  const limit = limitOn(playlist, asking);
  if (limit !== null) throw new LimitReached(limit);
  if (playlist.answer.status !== 200)
    throw new Error(`${first.url}: The server answers ${playlist.answer.status}.`);
  return readMediaPlaylist(new TextDecoder().decode(playlist.body), playlist.answer.url, variants);
}

const MAX_LEVELS = 12;
const MAX_CLOCKS = 4;

/**
 * Asks for what a manifest names: files of all levels, the last segment, times in the media, and clocks. What a limit of the check
 * itself kept away is left out, with the reason in `unknown`.
 */
export async function askStream(
  read: ReadManifest,
  manifest: Asked['answer'],
  asking: Asking,
): Promise<{ readonly stream: StreamFacts; readonly unknown: Unknown }> {
  const { kind, isLive, updateSeconds, types, gaps, target, media, levels, last } = read;
  const asked = [
    ...[...new Map(levels.map((level) => [level.url, level])).values()].slice(0, MAX_LEVELS),
    ...(last === null ? [] : [{ what: isLive ? 'the newest segment' : 'the last segment', url: last }]),
  ];
  const unknown: Unknown = {};
  const noting =
    <Instead>(need: Need, instead: Instead) =>
    (error: Error): Instead => {
      unknown[need] = error.message;
      return instead;
    };
  const [probes, lengths, clocks] = await Promise.all([
    Promise.all(asked.map((each) => probe(each, asking).catch(noting('probes', null)))),
    read.times === null ? null : lengthsOf(read.times, asking).catch(noting('lengths', null)),
    Promise.all(
      read.clocks
        .slice(0, MAX_CLOCKS)
        .map((clock) => askClock(clock, manifest, asking).catch(noting('clocks', silent(clock)))),
    ),
  ]);
  const origins = new Set(media.map(({ resolvedUri }) => new URL(resolvedUri).origin));
  const insecure = [...origins].filter((origin) => origin.startsWith('http:'));
  const about = { kind, fault: null, isLive, updateSeconds, types, insecure, gaps, lengths, clocks, target };
  return { stream: { ...about, probes: probes.filter((each) => each !== null) }, unknown };
}

/** Asks whether a file is there. @throws LimitReached */
async function probe(
  { what, url }: ReadManifest['levels'][number],
  asking: Asking,
): Promise<StreamFacts['probes'][number]> {
  try {
    const { answer } = await askThrough(url, asking, { headers: { range: 'bytes=0-0' }, limitBytes: 1 });
    return { what, url, status: answer.status };
  } catch (error) {
    return { what, url, status: null, error: faultIn(error) };
  }
}

/** Returns why a server did not answer. @throws LimitReached where that is not the server's fault */
function faultIn(error: unknown): string {
  if (error instanceof LimitReached) throw error;
  return (error as Error).message;
}

const INIT_BYTES = 32_768;
const HEAD_BYTES = 4096;

/** Mean length of segments by the manifest and by their own times. @throws Error where the media have none that are known */
async function lengthsOf(
  times: NonNullable<ReadManifest['times']>,
  asking: Asking,
): Promise<StreamFacts['lengths']> {
  const { offset, length } = times.initRange ?? { offset: 0, length: INIT_BYTES };
  const headOf = async (url: string, from: number, limitBytes: number): Promise<Buffer> => {
    const asked = await askThrough(url, asking, {
      headers: { range: `bytes=${from}-${from + limitBytes - 1}`, 'accept-encoding': 'identity' },
      limitBytes: from + limitBytes,
    });
    mustBeRead(asked, asking);
    const { answer, body } = asked;
    return answer.status === 206 ? body : body.subarray(from, from + limitBytes);
  };
  const [init, from, to] = await Promise.all([
    headOf(times.initUrl, offset, length),
    headOf(times.fromUrl, 0, HEAD_BYTES),
    headOf(times.toUrl, 0, HEAD_BYTES),
  ]);
  const timescale = timescaleOf(init);
  const [start, end] = [startTicks(from), startTicks(to)];
  if (timescale === null || start === null || end === null) return null;
  return {
    announced: times.seconds / times.segments,
    found: (end - start) / timescale / times.segments,
  };
}

/** Ticks each second of the one track of an init segment (`mdhd`, ISO/IEC 14496-12, 8.4.2); null for several tracks or none. */
function timescaleOf(init: Buffer): number | null {
  const at = init.indexOf('mdhd', 0, 'latin1');
  if (at < 0 || init.includes('mdhd', at + 4, 'latin1')) return null;
  const place = at + 8 + (init[at + 4] === 1 ? 16 : 8);
  return place + 4 <= init.length ? init.readUInt32BE(place) || null : null;
}

/** Start of the first fragment (`tfdt`, 8.8.12), ticks; null where its head has none. */
function startTicks(head: Buffer): number | null {
  const at = head.indexOf('tfdt', 0, 'latin1');
  if (at < 0 || at + 16 > head.length) return null;
  return head[at + 4] === 1 ? Number(head.readBigUInt64BE(at + 8)) : head.readUInt32BE(at + 8);
}

/** Schemes of ISO/IEC 23009-1, 5.8.5.7, that are an address. */
const ASKED_SCHEME = /:utc:http-(xsdate|iso|head):201[24]$/;

/** A clock of which nothing is known but that it is named. */
const silent = ({ scheme }: ReadManifest['clocks'][number]): Clock => ({
  ...{ scheme, url: null, offsetSeconds: null, error: null, hasFractions: true },
});

/** Compares a clock with the server of the manifest. @throws LimitReached */
async function askClock(
  { scheme, value }: ReadManifest['clocks'][number],
  manifest: Asked['answer'],
  asking: Asking,
): Promise<Clock> {
  const [address = ''] = value.trim().split(/\s+/);
  const none = { scheme, url: null, offsetSeconds: null, hasFractions: false };
  if (scheme.includes(':direct:'))
    return { ...none, ...timeIn(value, manifest, manifest), hasFractions: true };
  if (!ASKED_SCHEME.test(scheme) || !URL.canParse(address, manifest.url))
    return { ...none, error: `the scheme ${scheme} is not known` };
  const url = new URL(address, manifest.url).href;
  try {
    const hops: Answer[] = [];
    const asked = await askThrough(url, asking, { hops });
    mustBeRead(asked, asking);
    const { answer, body } = asked;
    const isOpen = [...hops, answer].every(
      (each) => !isForeign(each, asking.pageOrigin) || isReadable(each, asking.pageOrigin),
    );
    if (answer.status !== 200) return { ...none, url, error: `status ${answer.status}` };
    if (!isOpen)
      return { ...none, url, error: 'a page may not read it, for want of Access-Control-Allow-Origin' };
    const text = scheme.includes('http-head') ? (answer.headers['date'] ?? '') : body.toString('utf8').trim();
    return { ...none, url, hasFractions: /:\d\d[.,]\d/.test(text), ...timeIn(text, answer, manifest) };
  } catch (error) {
    return { ...none, url, error: faultIn(error) };
  }
}

/** Reads a time, and compares it with that of the manifest's server; both against our own clock, as they came at other times. */
function timeIn(
  text: string,
  clock: Asked['answer'],
  manifest: Asked['answer'],
): Pick<Clock, 'offsetSeconds' | 'error'> {
  const aheadMs = Date.parse(text) - clock.atUnixMs;
  // A cache keeps the date of the server behind it, and says how old the answer is (RFC 9111, section 5.1).
  const ageMs = 1000 * (Number(manifest.headers['age']) || 0);
  const otherMs = Date.parse(manifest.headers['date'] ?? '') + ageMs - manifest.atUnixMs;
  return {
    offsetSeconds: Number.isNaN(aheadMs - otherMs) ? null : (aheadMs - otherMs) / 1000,
    error: Number.isNaN(aheadMs) ? 'what it answers is no time' : null,
  };
}

type Clock = StreamFacts['clocks'][number];
