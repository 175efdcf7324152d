import { createHash } from 'node:crypto';
import { get as getOverHttp, type IncomingHttpHeaders } from 'node:http';
import { get as getOverHttps } from 'node:https';
import { isIP } from 'node:net';
import { connect, rootCertificates } from 'node:tls';
import { textTable } from '../../node/textTable.ts';
import { createPathwayMap } from '../../src/player/steering/pathwayMap.ts';
import { MAIN, type PlacedPathway } from '../../src/player/steering/pathways.ts';
import type { Pathway } from '../../src/steering/policy.ts';
import { firstFileOf, type FirstFile } from '../simulate/mpd/contentFromMpd.ts';
import { mpdAt } from './mediaUrls.ts';

/** What the server of a pathway offers, as far as steering needs it. */
interface PathwayOffer extends Pathway {
  /** Host and port. */
  readonly server: string;
  /** What it answers about the first file of the stream; one sentence part where it does not answer. */
  readonly answer: Answer | { readonly error: string };
  /** ALPN ids that it agrees to over TCP, and `h3` where it announces that (Alt-Svc, RFC 7838). */
  readonly protocols: readonly string[];
}

interface Answer {
  readonly status: number;
  /** Origin to which it redirects; null where it does not. */
  readonly redirect: string | null;
  /** SHA-256 of the bytes that were requested, in hexadecimal digits. */
  readonly hash: string;
  /** Whether a page of the given origin may read it (Fetch standard, CORS check), */
  readonly isReadable: boolean;
  /** and its times and protocol (Resource Timing, Timing-Allow-Origin). */
  readonly isTimed: boolean;
  readonly hasRanges: boolean;
}

interface Asking {
  /** Scheme, host and port of the page that plays. */
  readonly pageOrigin: string;
  /** PEM of a certificate to trust beside the public ones. */
  readonly ca?: string;
}

/** Bytes of the first file that are compared: an init segment is shorter. */
const MAX_COMPARED_BYTES = 16_384;
const PATIENCE_MS = 10_000;

/**
 * Asks the server of an MPD and those of its pathways what they offer, and prints one table, with a sentence for each thing
 * that is missing. @throws Error in one sentence about the pathways that cannot be used
 */
export async function checkPathways(
  mpdUrl: string,
  pathways: readonly PlacedPathway[],
  { print, ...asking }: Asking & { print(line: string): void },
): Promise<void> {
  const file = await firstFile(mpdUrl, asking.ca).catch((error: Error) => {
    print(`${error.message} What the pathways offer is not known.`);
    return null;
  });
  if (file === null) return;
  const map = createPathwayMap(mpdUrl, pathways);
  if (map.of(file.url) === null)
    throw new Error(
      `${mpdUrl}: Its files are on ${hostOf(file.url)}, not on the server of the MPD, so that they cannot be steered.`,
    );
  const offers = await Promise.all(
    map.pathways.map((pathway) =>
      pathwayOffer(pathway, { ...asking, ...file, url: map.to(file.url, pathway.id, pathway.id === MAIN) }),
    ),
  );
  print(`The first file of the stream over each pathway:\n${formatOffers(offers)}`);
  for (const sentence of offers.flatMap(shortcomings)) print(sentence);
  const faults = offers.flatMap((offer) => faultOf(offer, offers[0]!) ?? []);
  if (faults.length > 0) throw new Error(faults.join(' '));
}

/** @throws Error in one sentence */
async function firstFile(mpdUrl: string, pem: string | undefined): Promise<FirstFile> {
  const { text, url } = await mpdAt(mpdUrl, pem === undefined ? undefined : { pem });
  return firstFileOf(text, url);
}

/** Requests the first file over one pathway. Never rejects: a server that does not answer is an answer, too. */
export async function pathwayOffer(
  { id, carries }: Pathway,
  asked: Asking & FirstFile,
): Promise<PathwayOffer> {
  const about = { id, carries, server: hostOf(asked.url) };
  try {
    const { headers, ...answer } = await answerOf(asked);
    return { ...about, answer, protocols: await protocolsOf(asked, headers['alt-svc'] ?? '') };
  } catch (error) {
    return { ...about, answer: { error: (error as Error).message }, protocols: [] };
  }
}

const hostOf = (url: string): string => new URL(url).host;

async function answerOf({
  url,
  range,
  pageOrigin,
  ca,
}: Asking & FirstFile): Promise<Answer & { headers: IncomingHttpHeaders }> {
  const { offset, length } = range ?? { offset: 0, length: MAX_COMPARED_BYTES };
  const wanted = Math.min(length, MAX_COMPARED_BYTES);
  const { status, headers, bytes } = await request(url, {
    headers: {
      origin: pageOrigin,
      range: `bytes=${offset}-${offset + wanted - 1}`,
      'accept-encoding': 'identity',
    },
    maxBytes: offset + wanted,
    ca,
  });
  const hasRanges = status === 206;
  const part = hasRanges ? bytes.subarray(0, wanted) : bytes.subarray(offset, offset + wanted);
  const names = (header: string | string[] | undefined): boolean =>
    [header ?? '']
      .flat()
      .flatMap((each) => each.split(','))
      .some((each) => each.trim() === '*' || each.trim() === pageOrigin);
  return {
    status,
    headers,
    hasRanges,
    hash: createHash('sha256').update(part).digest('hex'),
    redirect: status >= 300 && status < 400 ? originOf(headers.location, url) : null,
    isReadable: names(headers['access-control-allow-origin']),
    isTimed: names(headers['timing-allow-origin']),
  };
}

const originOf = (location: string | undefined, url: string): string =>
  location !== undefined && URL.canParse(location, url) ? new URL(location, url).origin : 'another address';

interface Request {
  readonly headers: Readonly<Record<string, string>>;
  /** What comes after them is not waited for: a server without ranges sends the whole file. */
  readonly maxBytes: number;
  readonly ca: string | undefined;
}

function request(
  url: string,
  { headers, maxBytes, ca }: Request,
): Promise<{ status: number; headers: IncomingHttpHeaders; bytes: Buffer }> {
  const get: typeof getOverHttps = url.startsWith('https:') ? getOverHttps : getOverHttp;
  const signal = AbortSignal.timeout(PATIENCE_MS);
  return new Promise((resolve, reject) => {
    const asked = get(
      url,
      { headers, signal, agent: false, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) },
      (response) => {
        const chunks: Buffer[] = [];
        const done = (): void => {
          const { statusCode: status = 0 } = response;
          resolve({ status, headers: response.headers, bytes: Buffer.concat(chunks) });
          asked.destroy();
        };
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (chunks.reduce((sum, { length }) => sum + length, 0) >= maxBytes) done();
        });
        response.once('end', done);
        response.on('error', reject);
      },
    );
    asked.on('error', reject);
  });
}

async function protocolsOf({ url, ca }: Asking & FirstFile, altSvc: string): Promise<string[]> {
  if (!url.startsWith('https:')) return ['http/1.1'];
  const asked = ['http/1.1', 'h2'].map(async (id) => ((await agreesTo(url, id, ca)) ? [id] : []));
  return [...(await Promise.all(asked)).flat(), ...(/(?:^|,)\s*h3(?:-\d+)?=/.test(altSvc) ? ['h3'] : [])];
}

/** Whether a TLS handshake that offers this ALPN id alone ends with it; a server without ALPN speaks http/1.1 (RFC 7301). */
function agreesTo(url: string, id: string, ca: string | undefined): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: Number(port || 443),
      ALPNProtocols: [id],
      timeout: PATIENCE_MS,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
    });
    const end = (agreed: boolean): void => {
      resolve(agreed);
      socket.destroy();
    };
    socket.once('secureConnect', () =>
      end(socket.alpnProtocol === id || (socket.alpnProtocol === false && id === 'http/1.1')),
    );
    socket.once('timeout', () => end(false));
    socket.on('error', () => end(false));
  });
}

/** Why a pathway cannot be used, in one sentence; null where it can. */
export function faultOf(offer: PathwayOffer, main: PathwayOffer): string | null {
  const { id, server, answer } = offer;
  const fault = 'error' in answer ? `does not answer (${answer.error})` : faultOfAnswer(answer, main);
  return fault === null ? null : `The pathway ${id} cannot be used: ${server} ${fault}.`;
}

function faultOfAnswer({ status, redirect, hash, isReadable }: Answer, main: PathwayOffer): string | null {
  if (redirect !== null) return `redirects to ${redirect}`;
  if (status !== 200 && status !== 206) return `answers ${status}`;
  if (!isReadable) return 'does not allow a page to read its files (CORS, Access-Control-Allow-Origin)';
  return !('error' in main.answer) && hash !== main.answer.hash
    ? 'serves other bytes than the server of the MPD'
    : null;
}

/** What a pathway lacks that can be used nevertheless, a sentence each. */
export function shortcomings({ id, carries, server, answer, protocols }: PathwayOffer): string[] {
  if ('error' in answer || answer.status >= 300) return [];
  const lacks = [
    carries === 'tcp' && protocols.includes('h3')
      ? 'announces HTTP/3 (Alt-Svc), although this pathway is one without'
      : null,
    answer.isTimed ? null : 'sends no Timing-Allow-Origin, so that protocols and times stay unknown',
    answer.hasRanges ? null : 'ignores byte ranges, so that slow segments are requested anew',
  ];
  return lacks.flatMap((each) => (each === null ? [] : [`The pathway ${id}: ${server} ${each}.`]));
}

const HEAD = ['pathway', 'server', 'status', 'bytes', 'CORS', 'timing', 'ranges', 'protocols'];

/** One line for each pathway. */
function formatOffers(offers: readonly PathwayOffer[]): string {
  const lines = offers.map(({ id, server, answer, protocols }) =>
    'error' in answer
      ? [id, server, '–', '–', '–', '–', '–', '–']
      : [
          ...[id, server, String(answer.status), `sha256 ${answer.hash.slice(0, 8)}`],
          ...[answer.isReadable, answer.isTimed, answer.hasRanges].map((has) => (has ? 'yes' : 'no')),
          protocols.join(', ') || '–',
        ],
  );
  return textTable([HEAD, ...lines], { left: HEAD.length, gap: '  ', indent: '  ' });
}
