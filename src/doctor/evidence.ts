/**
 * What a stream and its servers answered, as far as it was asked. Checks read nothing else. A value that is not known is null;
 * `Evidence.unknown` has the reason.
 */
export interface Evidence {
  readonly url: string;
  /** Scheme, host and port of the page that would play the stream. */
  readonly pageOrigin: string;
  readonly isSecure: boolean;
  /** The manifest (or the file that was named) first, then a media file of each server. */
  readonly files: readonly FileEvidence[];
  /** One for each host and port of `files`. */
  readonly servers: readonly ServerEvidence[];
  /** Null where the address is that of a single file. */
  readonly stream: StreamFacts | null;
  readonly browser: BrowserEvidence | null;
  readonly askedAtUnixMs: number;
  readonly unknown: Readonly<Unknown>;
}

/** Requests for a file beside the one for the whole of it, as in `FileEvidence`. */
const WAYS = ['range', 'again', 'preflight', 'missing'] as const;
export type Way = (typeof WAYS)[number];

/** Kinds of evidence that checks need. */
export const NEEDS = [
  ...(['addresses', 'record', 'tls', 'answers', 'stream', 'browser', 'quic'] as const),
  ...(['probes', 'lengths', 'clocks'] as const),
  ...WAYS,
] as const;
export type Need = (typeof NEEDS)[number];
/** Why a kind of evidence is not there, or not all of it. */
export type Unknown = Partial<Record<Need, string>>;

/** One answer of a server over http/1.1. */
export interface Answer {
  readonly url: string;
  /** What browsers name as their origin after a redirect from one server to another (Fetch, redirect-tainted origin); absent: the page's. */
  readonly origin?: 'null';
  /** When its headers came. */
  readonly atUnixMs: number;
  readonly status: number;
  /** By their names in lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of the body that were read. */
  readonly readBytes: number;
  /** First characters of the body. */
  readonly start: string;
  /** Whether the server sent 103 (RFC 8297) before. */
  readonly hasEarlyHints: boolean;
}

/** What a server answered about one file. */
export interface FileEvidence {
  readonly kind: 'manifest' | 'media';
  readonly url: string;
  /** Redirects that were followed, in order. */
  readonly hops: readonly Answer[];
  /** To a GET that accepts content codings, without redirects. */
  readonly whole: Answer | null;
  /** Why `whole` is null. */
  readonly error: string | null;
  /** To a request for bytes 4 to 99. */
  readonly range: Answer | null;
  /** To a request with the validators of `range`; null where there were none. */
  readonly again: Answer | null;
  /** To a preflight for the header CMCD-Request. */
  readonly preflight: Answer | null;
  /** To a request for a file beside it that nobody has. */
  readonly missing: Answer | null;
  /** Why the server gave no answer to one of the last four. */
  readonly failed?: Readonly<Partial<Record<Way, string>>>;
}

export interface ServerEvidence {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly addresses: readonly TriedAddress[] | null;
  /** HTTPS records in DNS (RFC 9460); empty: there is none. */
  readonly records: readonly HttpsRecord[] | null;
  /** Null without TLS, and for a server that answers no request. */
  readonly tls: TlsFacts | null;
  readonly visit: Visit | null;
}

interface TriedAddress {
  readonly address: string;
  /** Why no TCP connection could be opened; null where it could. */
  readonly error: string | null;
}

export interface HttpsRecord {
  readonly priority: number;
  readonly target: string;
  readonly alpn: readonly string[];
  readonly port: number | null;
}

export interface TlsFacts {
  /** What was agreed on with a client that offers h2 and http/1.1; null without ALPN. */
  readonly alpn: string | null;
  /** Such as `TLSv1.3`; null without a connection. */
  readonly version: string | null;
  /** Code and sentence of Node for a certificate that is not trusted, or for a connection that fails. */
  readonly error: { readonly code: string; readonly sentence: string } | null;
  readonly validFromUnixMs: number | null;
  readonly validToUnixMs: number | null;
}

/** What a browser used with one server. */
export interface Visit {
  /** Protocols of three requests, each change, of a browser with its ordinary behaviour. */
  readonly racing: readonly string[];
  /** Why one of the three got no answer; null where all did. */
  readonly racingError: string | null;
  /** Protocol of a browser that uses QUIC alone; null where it got no answer. */
  readonly quic: string | null;
  /** Why it got none. */
  readonly quicError: string | null;
}

export interface BrowserEvidence {
  /** As in `Chromium 156`; begins a sentence. */
  readonly name: string;
  /** MIME types with codecs of the manifest that it cannot decode. */
  readonly undecodable: readonly string[];
  /** Whether QUIC reaches a server that is known to have it; null where none was named. */
  readonly isUdpOpen: boolean | null;
  readonly look: Look | null;
}

/** Alternating downloads of one file. */
export interface Look {
  readonly sizeBytes: number;
  readonly h2: readonly LookedAt[];
  readonly h3: readonly LookedAt[];
}

export interface LookedAt {
  readonly firstByteMs: number;
  readonly wholeMs: number;
}

export interface StreamFacts {
  readonly kind: 'dash' | 'hls';
  /** Why it cannot be read. */
  readonly fault: string | null;
  readonly isLive: boolean;
  /** Time after which a live manifest changes, s. */
  readonly updateSeconds: number | null;
  readonly types: readonly string[];
  /** Media addresses without TLS. */
  readonly insecure: readonly string[];
  readonly gaps: readonly { readonly atSeconds: number; readonly lengthSeconds: number }[];
  /** The first file of each level, and the last segment that is announced. */
  readonly probes: readonly Probe[];
  /** Length of segments by the manifest and by the media, s. */
  readonly lengths: { readonly announced: number; readonly found: number } | null;
  readonly clocks: readonly Clock[];
  /** HLS: the target duration and the longest segment, s. */
  readonly target: { readonly announced: number; readonly longest: number } | null;
}

interface Probe {
  readonly what: string;
  readonly url: string;
  readonly status: number | null;
  /** Why the server gave no status; absent where that is not known. */
  readonly error?: string;
}

/** A clock that the manifest names (UTCTiming, ISO/IEC 23009-1, 5.8.4.11). */
interface Clock {
  readonly scheme: string;
  readonly url: string | null;
  /** Its time less that of the manifest's server (header Date), s; null where one of them is not known. */
  readonly offsetSeconds: number | null;
  /** Why it gave no time. */
  readonly error: string | null;
  /** Whether its time has fractions of a second. */
  readonly hasFractions: boolean;
}
