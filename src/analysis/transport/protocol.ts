/**
 * The four classes a request's protocol falls into, in the order in which they are stacked and listed. A column
 * of a table holds the index. TCP carries http/1.1 and h2, QUIC carries h3.
 */
export const PROTOCOLS = ['h1', 'h2', 'unknown', 'h3'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export const PROTOCOL_NAMES: Readonly<Record<Protocol, string>> = {
  h1: 'http/1.1',
  h2: 'h2',
  h3: 'h3',
  unknown: 'unknown',
};

/** Class of an ALPN id as `nextHopProtocol` gives it (IANA ALPN registry; h3-29 and hq are drafts of HTTP/3). */
export function protocolOf(alpn: string | null): Protocol {
  if (alpn === null) return 'unknown';
  if (/^http\/(0\.9|1\.[01])$/i.test(alpn)) return 'h1';
  if (/^h2c?$/i.test(alpn)) return 'h2';
  return /^(h3(-\d+)?|hq(-\d+)?|http\/2\+quic(\/\d+)?)$/i.test(alpn) ? 'h3' : 'unknown';
}

export const protocolCode = (protocol: Protocol): number => PROTOCOLS.indexOf(protocol);
export const protocolFrom = (code: number): Protocol => PROTOCOLS[code] ?? 'unknown';

/** T / (T + Q) of known bytes (racing paper 2024, TCP share); null when no byte's protocol is known. */
export function tcpShareOf(bytes: Readonly<Record<Protocol, number>>): number | null {
  const known = bytes.h1 + bytes.h2 + bytes.h3;
  return known > 0 ? (bytes.h1 + bytes.h2) / known : null;
}

/** Classes of the TCP share: low below 30 %, medium below 60 %, high from there (racing paper 2024). */
export function tcpClassOf(share: number): 'low' | 'medium' | 'high' {
  if (share < 0.3) return 'low';
  return share < 0.6 ? 'medium' : 'high';
}
