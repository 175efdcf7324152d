import { isWebPage } from '../../doctor/answers.ts';
import type { Answer, Evidence, FileEvidence, StreamFacts } from '../../doctor/evidence.ts';
import { groupBy } from '../../shared/groupBy.ts';
import { readMpd, type NamedByMpd } from './readMpd.ts';

/** What a page found out about a stream. */
export interface FromPage {
  readonly evidence: Evidence;
  /** Files that a server has, and that it does not let this page read. */
  readonly refused: readonly Pick<FileEvidence, 'kind' | 'url'>[];
  /** Protocols of the requests to each server, each change, as Resource Timing has them; empty: the server hides them. */
  readonly protocols: ReadonlyMap<string, readonly string[]>;
  readonly requests: number;
}

const ALL_MS = 12_000;
const REQUEST_MS = 4000;
const MAX_SERVERS = 4;
const MAX_LEVELS = 12;
const MAX_CLOCKS = 2;
/** More tells nothing, and costs the viewer's data. */
const MEDIA_BYTES = 65_536;
const START_CHARACTERS = 256;
/** A browser learns of h3 from the first answer, and uses it later. */
const REPEATS = 3;

interface Asked {
  readonly answer: Answer;
  readonly text: string;
}

/** Asks for a stream and some of its files from this page, within 12 s and some 40 requests. Never rejects. */
export async function gatherFromPage(url: string): Promise<FromPage> {
  const asking = createAsking();
  const manifest = await asking.file('manifest', url);
  const stream = manifest.file && (await readStream(manifest, asking));
  const media = stream === null ? [] : await askMedia(stream.named, asking);
  const files = [manifest, ...media];
  const timing = asking.timing();
  const known = files.flatMap(({ file }) =>
    file ? [withTiming(file, timing.get(file.whole?.url ?? ''))] : [],
  );
  const cannot = 'a page cannot see it';
  return {
    evidence: {
      url,
      pageOrigin: location.origin,
      isSecure: url.startsWith('https:'),
      files: known,
      servers: originsOf(known).map((origin) => ({
        ...{ origin, addresses: null, records: null, tls: null, visit: null },
      })),
      stream: stream?.facts ?? null,
      browser: stream && {
        name: 'This browser',
        undecodable: stream.facts.types.filter((type) => !MediaSource.isTypeSupported(type)),
        isUdpOpen: null,
        look: null,
      },
      askedAtUnixMs: Date.now(),
      unknown: {
        ...{ addresses: cannot, record: cannot, tls: cannot, quic: cannot },
        ...(stream === null && {
          stream: 'the manifest cannot be read',
          browser: 'the manifest cannot be read',
        }),
      },
    },
    refused: files.flatMap(({ refused, kind, url: at }) => (refused ? [{ kind, url: at }] : [])),
    protocols: protocolsOf(timing),
    requests: asking.requests(),
  };
}

interface AskedFile {
  readonly kind: FileEvidence['kind'];
  readonly url: string;
  /** Null where the page may not read it. */
  readonly file: FileEvidence | null;
  readonly refused: boolean;
  readonly text: string;
}

type Asking = ReturnType<typeof createAsking>;

function createAsking() {
  const all = AbortSignal.timeout(ALL_MS);
  const entries: PerformanceResourceTiming[] = [];
  const observer = new PerformanceObserver((list) =>
    entries.push(...(list.getEntries() as PerformanceResourceTiming[])),
  );
  observer.observe({ type: 'resource' });
  let requests = 0;
  const send = (url: string, more: RequestInit = {}): Promise<Response> => {
    requests += 1;
    const signal = AbortSignal.any([all, AbortSignal.timeout(REQUEST_MS)]);
    return fetch(url, { credentials: 'omit', cache: 'no-store', signal, ...more });
  };
  const ask = async (
    url: string,
    { limitBytes = Infinity, ...more }: RequestInit & { limitBytes?: number } = {},
  ): Promise<Asked> => {
    const response = await send(url, more);
    const { bytes, text } = await readUpTo(response, limitBytes);
    const answer: Answer = {
      url: response.url,
      atUnixMs: Date.now(),
      status: response.status,
      headers: Object.fromEntries(response.headers),
      readBytes: bytes,
      start: text.slice(0, START_CHARACTERS),
      hasEarlyHints: false,
    };
    return { answer, text };
  };
  const tried = (url: string, more?: RequestInit): Promise<Answer | null> =>
    ask(url, { limitBytes: MEDIA_BYTES, ...more }).then(
      ({ answer }) => answer,
      () => null,
    );
  return {
    requests: () => requests,
    tried,
    ask,
    /** Asks for a file; where the page may not read it, whether the server has it is found out without reading. */
    async file(kind: FileEvidence['kind'], url: string): Promise<AskedFile> {
      const nothing = {
        kind,
        url,
        hops: [],
        whole: null,
        range: null,
        again: null,
        preflight: null,
        missing: null,
      };
      try {
        const { answer, text } = await ask(url, kind === 'media' ? { limitBytes: MEDIA_BYTES } : {});
        const range = kind === 'media' ? await tried(url, { headers: { range: 'bytes=4-99' } }) : null;
        const missing = kind === 'media' ? await tried(absentBeside(url)) : null;
        return {
          kind,
          url,
          text,
          refused: false,
          file: { ...nothing, whole: answer, error: null, range, missing },
        };
      } catch (error) {
        const isThere = await send(url, { mode: 'no-cors' }).then(
          () => true,
          () => false,
        );
        if (isThere) return { kind, url, text: '', refused: true, file: null };
        return { kind, url, text: '', refused: false, file: { ...nothing, error: reasonOf(error) } };
      }
    },
    /** Entries of the requests so far, by address. */
    timing(): ReadonlyMap<string, readonly PerformanceResourceTiming[]> {
      entries.push(...(observer.takeRecords() as PerformanceResourceTiming[]));
      observer.disconnect();
      return groupBy(entries, ({ name }) => name);
    },
  };
}

/** Browsers tell a page no more than that a request failed (Fetch standard, network error). */
const reasonOf = (error: unknown): string =>
  (error as Error).name === 'TimeoutError'
    ? `no answer within ${REQUEST_MS / 1000} s`
    : 'the server cannot be reached, or this browser does not trust its certificate';

async function readUpTo(response: Response, limitBytes: number): Promise<{ bytes: number; text: string }> {
  const reader = response.body?.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  while (reader && bytes < limitBytes) {
    const { value, done } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.byteLength;
  }
  await reader?.cancel();
  return { bytes, text: await new Blob(chunks).text() };
}

async function readStream(
  { file, text }: AskedFile,
  asking: Asking,
): Promise<{ facts: StreamFacts; named: NamedByMpd | null } | null> {
  const { whole } = file!;
  if (whole === null) return null;
  if (whole.status !== 200) return { facts: UNREAD, named: null };
  try {
    if (isWebPage(whole)) throw new Error('What is there is a web page');
    if (text.startsWith('#EXTM3U')) return null;
    const named = readMpd(text, whole.url);
    const insecure = [...new Set(named.levels.map(({ url }) => new URL(url).origin))];
    const [probes, clocks] = await Promise.all([
      Promise.all(
        named.levels.slice(0, MAX_LEVELS).map(async ({ what, url }) => {
          const answer = await asking.tried(url, { headers: { range: 'bytes=0-0' } });
          return { what, url, status: answer?.status ?? null };
        }),
      ),
      Promise.all(named.clocks.slice(0, MAX_CLOCKS).map((clock) => askClock(clock, whole.url, asking))),
    ]);
    const facts: StreamFacts = {
      ...UNREAD,
      ...{ isLive: named.isLive, updateSeconds: named.updateSeconds, types: named.types, probes, clocks },
      insecure: insecure.filter((origin) => origin.startsWith('http:')),
    };
    return { facts, named };
  } catch (error) {
    return { facts: { ...UNREAD, fault: (error as Error).message }, named: null };
  }
}

const UNREAD: StreamFacts = {
  ...{ kind: 'dash', fault: null, isLive: false, updateSeconds: null, types: [], insecure: [], gaps: [] },
  ...{ probes: [], lengths: null, clocks: [], target: null },
};

/** Asks in every way for one file of each server, of a level in the middle, and again for what a browser learned. */
async function askMedia(named: NamedByMpd | null, asking: Asking): Promise<AskedFile[]> {
  const byOrigin = groupBy(named?.levels ?? [], ({ url }) => new URL(url).origin);
  const urls = [...byOrigin.values()].slice(0, MAX_SERVERS).map((all) => all[all.length >> 1]!.url);
  return Promise.all(
    urls.map(async (url) => {
      const asked = await asking.file('media', url);
      for (let count = 0; count < REPEATS && asked.file; count += 1)
        await asking.tried(url, { headers: { range: 'bytes=4-99' } });
      return asked;
    }),
  );
}

/** Schemes of ISO/IEC 23009-1, 5.8.5.7, whose answer is a text. */
const TEXT_CLOCK = /:utc:http-(xsdate|iso):201[24]$/;

async function askClock(
  { scheme, value }: NamedByMpd['clocks'][number],
  manifestUrl: string,
  asking: Asking,
): Promise<StreamFacts['clocks'][number]> {
  const url = URL.parse(value.trim().split(/\s+/)[0] ?? '', manifestUrl)?.href ?? null;
  // Others are not asked: nothing is said about them.
  const silent = { scheme, url: null, offsetSeconds: null, error: null, hasFractions: true };
  if (url === null || !TEXT_CLOCK.test(scheme)) return silent;
  try {
    const { answer, text } = await asking.ask(url);
    const error =
      answer.status !== 200
        ? `status ${answer.status}`
        : Number.isNaN(Date.parse(text.trim()))
          ? 'what it answers is no time'
          : null;
    return { ...silent, url, error, hasFractions: /:\d\d[.,]\d/.test(text) };
  } catch (error) {
    return {
      ...silent,
      url,
      error: `a page gets no answer: ${reasonOf(error)}, or it does not allow pages (CORS)`,
    };
  }
}

/** What Resource Timing and CORS show stands for the headers that a page may not read. */
function withTiming(file: FileEvidence, entries: readonly PerformanceResourceTiming[] = []): FileEvidence {
  if (file.whole === null) return file;
  const isTimed = entries.some(
    ({ nextHopProtocol, requestStart }) => nextHopProtocol !== '' || requestStart > 0,
  );
  // Where nothing was recorded nothing is known: the check that wants the header must stay silent.
  const allowed = isTimed || entries.length === 0;
  const isCoded =
    !isTimed || entries.some(({ encodedBodySize, decodedBodySize }) => decodedBodySize > encodedBodySize);
  return {
    ...file,
    whole: {
      ...file.whole,
      headers: {
        ...file.whole.headers,
        'access-control-allow-origin': '*',
        ...(allowed && { 'timing-allow-origin': '*' }),
        ...(file.kind === 'manifest' && isCoded && { 'content-encoding': 'some or unknown' }),
      },
    },
  };
}

const originsOf = (files: readonly FileEvidence[]): string[] => [
  ...new Set(files.map(({ url, whole }) => new URL(whole?.url ?? url).origin)),
];

function protocolsOf(
  timing: ReadonlyMap<string, readonly PerformanceResourceTiming[]>,
): Map<string, string[]> {
  const sorted = [...timing.values()].flat().sort((a, b) => a.startTime - b.startTime);
  const byOrigin = groupBy(sorted, ({ name }) => new URL(name).origin);
  return new Map(
    Array.from(byOrigin, ([origin, entries]) => {
      const all = entries.flatMap(({ nextHopProtocol }) => (nextHopProtocol === '' ? [] : [nextHopProtocol]));
      return [origin, all.filter((protocol, index) => protocol !== all[index - 1])];
    }),
  );
}

/** A name that no packager makes, in the folder of a file and with its ending. */
const absentBeside = (url: string): string =>
  new URL(`pitwall-asks-for-a-missing-file${/\.\w+$/.exec(new URL(url).pathname)?.[0] ?? ''}`, url).href;
