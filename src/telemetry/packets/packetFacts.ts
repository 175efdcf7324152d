/** What a capture of packets tells about the connections of a client. Times are Unix ms. */
export interface PacketFacts {
  /** Attempts to connect, in the order of their first packets. */
  readonly attempts: readonly ConnectionAttempt[];
  /** When the first and the last packet was captured; null for a capture without packets. */
  readonly spanUnixMs: { readonly from: number; readonly to: number } | null;
  /** Names of servers for which an answer of DNS offered h3 (RFC 9460), and when the first one came. */
  readonly h3ByDns: ReadonlyMap<string, number>;
  /**
   * Why packets are missing from the capture, a sentence each; empty: nothing says so. What is not in such a capture may have been
   * on the path all the same.
   */
  readonly lacking: readonly string[];
}

/** How an attempt or a connection ended, as far as packets say. */
interface ConnectionEnd {
  readonly atUnixMs: number;
  /** `close`: CONNECTION_CLOSE in an Initial; later ones are encrypted. `unreachable`: ICMP, and the client sent no more. */
  readonly how: 'reset' | 'fin' | 'close' | 'unreachable';
  readonly by: 'client' | 'server' | 'path';
}

/** One connection that a client tried to open, also one that got no answer. */
export interface ConnectionAttempt {
  readonly protocol: 'quic' | 'tcp';
  readonly client: Endpoint;
  readonly server: Endpoint;
  /** First Initial or SYN; null: it is not in the capture. */
  readonly startUnixMs: number | null;
  readonly firstUnixMs: number;
  readonly lastUnixMs: number;
  /** First packet of the server: SYN-ACK, or what answers an Initial. Null: none came. */
  readonly answeredUnixMs: number | null;
  /** The client could send requests: its first packet with keys of the handshake. Null: it never could. */
  readonly readyUnixMs: number | null;
  /** First packet of the client after the last one of the server; null: the server's came last. */
  readonly unansweredUnixMs: number | null;
  /** Null: still open at the end of the capture, silent, or closed in encrypted packets. */
  readonly end: ConnectionEnd | null;
  /** SNI of the ClientHello; null where there was none. */
  readonly serverName: string | null;
  /** Protocols that the client offered; null without a ClientHello. */
  readonly alpn: readonly string[] | null;
  /** QUIC only: `v1`, `v2`. */
  readonly version: string | null;
  /** QUIC only: data left before the handshake was over. */
  readonly zeroRtt: boolean;
  /** Whole IP packets. */
  readonly sentBytes: number;
  readonly receivedBytes: number;
  readonly sentPackets: number;
  readonly receivedPackets: number;
}

interface Endpoint {
  readonly address: string;
  readonly port: number;
}
