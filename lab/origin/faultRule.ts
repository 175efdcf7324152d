/** Something that goes wrong on demand at our own origin. */
export type FaultRule = RequestFaultRule | UdpSilenceRule;

interface RequestFaultRule extends FaultTimes {
  /** Path as asked, with `*` for any number of letters. */
  readonly path: string;
  /** So many requests that match are left alone first. Default: none. */
  readonly skip?: number;
  /** Then so many are hit. Default: all. */
  readonly count?: number;
  readonly fault: Fault;
}

/** QUIC's datagrams are lost, whoever they are from. */
interface UdpSilenceRule extends FaultTimes {
  readonly fault: {
    readonly kind: 'udp-silence';
    /** What is lost, as seen from the origin. Default: both. */
    readonly direction?: 'in' | 'out' | 'both';
  };
}

interface FaultTimes {
  /** When, since the rules were given. Default: always. */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

/** What happens to a response; the bodies' bytes are counted without headers. */
type Fault =
  /** Nothing is sent for that long. */
  | { readonly kind: 'delay'; readonly durationMs: number }
  /** The body stops for that long, then goes on. */
  | { readonly kind: 'stall'; readonly afterBytes: number; readonly durationMs: number }
  | { readonly kind: 'status'; readonly status: number }
  /** The body ends as if that were all of it. */
  | { readonly kind: 'truncate'; readonly afterBytes: number }
  /** Content-Length says so many bytes more than there are. */
  | { readonly kind: 'wrong-length'; readonly extraBytes: number }
  /** The stream is reset; over http/1.1 the connection. */
  | { readonly kind: 'reset'; readonly afterBytes: number }
  /** The body comes no faster than that. */
  | { readonly kind: 'drip'; readonly rateKbps: number }
  /** The connection is closed with every other response on it. */
  | { readonly kind: 'close'; readonly afterBytes: number }
  /** This is answered, then the connection takes no further requests: GOAWAY, or `Connection: close`. */
  | { readonly kind: 'go-away' };
