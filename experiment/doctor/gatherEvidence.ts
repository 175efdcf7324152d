import { proxyVariableFor } from '../../lab/browser/environmentProxy.ts';
import type { Trusted } from '../../node/trust.ts';
import { hostOf, isReadable } from '../../src/doctor/answers.ts';
import type {
  BrowserEvidence,
  Evidence,
  FileEvidence,
  ServerEvidence,
  StreamFacts,
  TlsFacts,
  Unknown,
  Visit,
} from '../../src/doctor/evidence.ts';
import { askFile, LimitReached, type Asking, type AskedFile } from './ask.ts';
import { httpsRecordsOf } from './httpsRecord.ts';
import type { ReadManifest } from './readDash.ts';
import { askStream, kindOf, readManifest } from './readManifest.ts';
import { addressesOf, lookupBy, tlsFactsOf, tryAddresses } from './servers.ts';
import { visitServers } from './visitServers.ts';

export interface Gathering {
  readonly pageOrigin: string;
  readonly maxBytes: number;
  readonly trusted: Trusted | undefined;
  /** IP address of a DNS server, with a port or without; absent: the system's. */
  readonly resolver: string | undefined;
  readonly knownUrl: string | undefined;
  /** Null: no browser, with the reason in `noBrowser`. */
  readonly chromiumPath: string | null;
  readonly noBrowser: string;
  /** When requests end, and browsers, ms; absent: 16 s. Probes of connections (3 s) may follow the last request. */
  readonly withinMs?: number;
}

export interface Gathered {
  readonly evidence: Evidence;
  readonly spentBytes: number;
}

const ALL_MS = 16_000;
const MAX_SERVERS = 5;
/** Share of the bytes that one file of a look may have: it is downloaded eight times. */
const LOOK_SHARE = 1 / 16;

/** Asks for a stream and its servers, within 20 s and a number of bytes. Nothing is written anywhere. Never rejects. */
export async function gatherEvidence(url: string, gathering: Gathering): Promise<Gathered> {
  const signal = AbortSignal.timeout(gathering.withinMs ?? ALL_MS);
  const { pageOrigin, trusted, resolver, maxBytes } = gathering;
  const budget = { leftBytes: maxBytes };
  const asking: Asking = {
    pageOrigin,
    trusted,
    signal,
    budget,
    ...(resolver !== undefined && { lookup: lookupBy(resolver) }),
  };
  const askedAtUnixMs = Date.now();
  const manifest = await askFile('manifest', url, asking);
  const { stream, mediaUrls, limit, unknown: ofStream = {} } = await readStream(manifest, asking);
  const media = await Promise.all(mediaUrls.map((each) => askFile('media', each, asking)));
  // A file that is no manifest is media itself.
  const asked = stream === null && limit === null ? media : [manifest, ...media];
  const { files, unknown } = knownOf(asked, ofStream);
  const servers = await Promise.all(
    originsOf(asked).map((origin) => askServer(origin, gathering, { asking, unknown, files })),
  );
  const visited = await visit(files, servers, { gathering, asking, unknown, types: stream?.types ?? [] });
  const evidence: Evidence = {
    url,
    pageOrigin,
    isSecure: url.startsWith('https:'),
    files,
    servers: servers.map((server) => ({ ...server, visit: visited?.visitOf(server.origin) ?? null })),
    stream,
    browser: visited?.browser ?? null,
    askedAtUnixMs,
    unknown: {
      ...unknown,
      ...(stream === null && { stream: limit ?? 'the address is that of a single file' }),
    },
  };
  return { evidence, spentBytes: maxBytes - budget.leftBytes };
}

/** A file that a limit of the check itself kept away says nothing of the server. */
function knownOf(
  asked: readonly AskedFile[],
  ofStream: Unknown,
): { files: FileEvidence[]; unknown: Unknown } {
  const isKnown = ({ file, limit }: AskedFile): boolean => file.whole !== null || limit === null;
  const ended = asked.find((each) => !isKnown(each))?.limit;
  const unknown = Object.assign({}, ofStream, ...asked.map((each) => each.unknown)) as Unknown;
  return {
    files: asked.filter(isKnown).map(({ file }) => file),
    unknown: { ...unknown, ...(ended && { answers: ended }) },
  };
}

/** Origins of all answers, the manifest's first. */
function originsOf(asked: readonly AskedFile[]): string[] {
  const urls = asked.flatMap(({ file: { url, whole } }) => [url, whole?.url ?? url]);
  return [...new Set(urls.map((each) => new URL(each).origin))].slice(0, MAX_SERVERS);
}

async function readStream(
  { file, body, limit }: AskedFile,
  asking: Asking,
): Promise<{ stream: StreamFacts | null; mediaUrls: string[]; limit: string | null; unknown?: Unknown }> {
  if (limit !== null && file.whole === null) return { stream: null, mediaUrls: [], limit };
  const url = file.whole?.url ?? file.url;
  const kind = kindOf(url, body);
  if (kind === null) return { stream: null, mediaUrls: [file.url], limit: null };
  if (limit !== null) return { stream: null, mediaUrls: [], limit };
  if (file.whole === null || file.whole.status !== 200)
    return { stream: unread(kind, null), mediaUrls: [], limit };
  try {
    const read = await readManifest(kind, { answer: file.whole, body }, asking);
    return { ...(await askStream(read, file.whole, asking)), mediaUrls: mediaUrlsOf(read), limit };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof LimitReached) return { stream: null, mediaUrls: [], limit: message };
    return { stream: unread(kind, message), mediaUrls: [], limit };
  }
}

const unread = (kind: StreamFacts['kind'], fault: string | null): StreamFacts => ({
  ...{ kind, fault, isLive: false, updateSeconds: null, types: [], insecure: [], gaps: [] },
  ...{ probes: [], lengths: null, clocks: [], target: null },
});

/** One media file of each server: of the level in the middle, where a server has several. */
function mediaUrlsOf({ media }: ReadManifest): string[] {
  const byOrigin = new Map<string, string[]>();
  for (const { resolvedUri } of media) {
    if (!/^https?:/.test(resolvedUri)) continue;
    const { origin } = new URL(resolvedUri);
    byOrigin.set(origin, [...(byOrigin.get(origin) ?? []), resolvedUri]);
  }
  return Array.from(byOrigin.values(), (urls) => urls[Math.floor(urls.length / 2)]!).slice(0, MAX_SERVERS);
}

interface Asks {
  readonly asking: Asking;
  readonly unknown: Unknown;
}

interface VisitedServers {
  readonly browser: BrowserEvidence;
  visitOf(origin: string): Visit | null;
}

async function askServer(
  origin: string,
  { resolver }: Gathering,
  asks: Asks & { readonly files: readonly FileEvidence[] },
): Promise<Omit<ServerEvidence, 'visit'>> {
  const { asking, unknown } = asks;
  const proxy = proxyVariableFor(origin);
  if (proxy !== null)
    unknown.addresses ??= `${proxy} of the environment names a proxy, which the check does not use`;
  const [addresses, tls, records] = await Promise.all([
    proxy === null ? tryAddresses(origin, asking) : null,
    tlsFactsOf(origin, asking),
    httpsRecordsOf(origin, resolver).catch((error: Error) => {
      unknown.record ??= error.message;
      return null;
    }),
  ]);
  if (addresses === null) unknown.addresses ??= `${hostOf(origin)} has no address here`;
  return { origin, addresses, tls: judgedTls(origin, tls, asks), records };
}

/** Codes of Node for a connection that did not come about; none where the name was not found. It says nothing of TLS. */
const NOT_REACHED = [
  '',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
];

/** A handshake that fails is a fault of its own where the server answers requests. */
function judgedTls(
  origin: string,
  tls: TlsFacts | null,
  { unknown, files }: Pick<Parameters<typeof askServer>[2], 'unknown' | 'files'>,
): TlsFacts | null {
  if (tls === null || tls.version !== null) return tls;
  unknown.tls ??= `${hostOf(origin)}: ${tls.error?.sentence}`;
  const isReached = !NOT_REACHED.includes(tls.error!.code);
  const answers = files.some(({ whole }) => whole !== null && new URL(whole.url).origin === origin);
  return isReached && answers ? tls : null;
}

/** Lets browsers visit the servers that they may connect to. Says in `unknown` why there is nothing. */
async function visit(
  files: readonly FileEvidence[],
  servers: readonly Omit<ServerEvidence, 'visit'>[],
  { gathering, asking, unknown, types }: Asks & { gathering: Gathering; types: readonly string[] },
): Promise<VisitedServers | null> {
  const urls = servers.flatMap(({ origin, tls }) => {
    const isFit = origin.startsWith('http:') || (tls !== null && tls.error === null);
    const file = files.find(({ whole }) => whole?.status === 200 && new URL(whole.url).origin === origin);
    return isFit && file ? [file.whole!.url] : [];
  });
  const fail = (why: string): null => {
    unknown.browser = why;
    unknown.quic = why;
    return null;
  };
  if (gathering.chromiumPath === null) return fail(gathering.noBrowser);
  if (asking.signal.aborted) return fail('there was no time left');
  if (urls.length === 0) return fail(unknown.answers ?? 'no server answers that a browser would connect to');
  try {
    const visited = await visitServers({
      chromiumPath: gathering.chromiumPath,
      urls,
      types,
      knownUrl: gathering.knownUrl,
      lookUrl: lookUrlOf(files, asking.budget.leftBytes, gathering),
      trusted: gathering.trusted,
      hostRules: await hostRulesOf(servers, asking),
      signal: asking.signal,
    });
    const { look } = visited.browser;
    asking.budget.leftBytes -= (look?.sizeBytes ?? 0) * 8;
    return {
      browser: visited.browser,
      visitOf: (origin) =>
        visited.visits.get(urls.find((each) => new URL(each).origin === origin) ?? '') ?? null,
    };
  } catch (error) {
    return fail((error as Error).message);
  }
}

/** The first media file that pages may read, and that is small enough to be downloaded several times. */
function lookUrlOf(
  files: readonly FileEvidence[],
  leftBytes: number,
  { pageOrigin }: Gathering,
): string | null {
  const file = files.find(
    ({ kind, whole }) =>
      kind === 'media' &&
      whole?.status === 200 &&
      whole.url.startsWith('https:') &&
      isReadable(whole, pageOrigin) &&
      Number(whole.headers['content-length'] ?? NaN) <= leftBytes * LOOK_SHARE,
  );
  return file?.whole?.url ?? null;
}

/** Chromium's rules that give names the addresses of another resolver; null: the system resolves. */
async function hostRulesOf(
  servers: readonly { origin: string }[],
  { lookup }: Asking,
): Promise<string | null> {
  if (lookup === undefined) return null;
  const rules = servers.map(async ({ origin }) => {
    const { hostname } = new URL(origin);
    const [first] = await addressesOf(hostname, lookup).catch(() => []);
    if (first === undefined) return [];
    return [`MAP ${hostname} ${first.family === 6 ? `[${first.address}]` : first.address}`];
  });
  return (await Promise.all(rules)).flat().join(', ');
}
