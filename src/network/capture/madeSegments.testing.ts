import { madeEthernet, madeIp, u16, u32 } from './madeCapture.testing.ts';
import { clientHello, record } from './madeHello.testing.ts';

export const CLIENT = '198.51.100.1';
export const SERVER = '203.0.113.1';
export const TCP = 6;
export const ICMP = 1;

export interface Made {
  readonly atMs: number;
  readonly frame: readonly number[];
}

export interface Way {
  readonly from?: 'client' | 'server';
  readonly port?: number;
}

export const ip = (
  protocol: number,
  payload: readonly number[],
  { from = 'client', port = 50_000 }: Way = {},
): readonly number[] =>
  madeEthernet(
    madeIp(
      from === 'client'
        ? { from: CLIENT, to: SERVER, protocol, ports: [port, 443], payload }
        : { from: SERVER, to: CLIENT, protocol, ports: [443, port], payload },
    ),
  );

export const SYN = 2;
export const ACK = 16;
export const RST = 4;
export const FIN = 1;

/** A segment; `data` begins at `sequence`. */
export const segment = (
  atMs: number,
  flags: number,
  {
    sequence,
    acknowledgement = SERVER_FIRST + 1,
    data = [],
    ...way
  }: Way & { sequence: number; acknowledgement?: number; data?: readonly number[] },
): Made => ({
  atMs,
  frame: ip(
    TCP,
    [...u32(sequence), ...u32(acknowledgement), 0x50, flags, ...u16(1000), 0, 0, 0, 0, ...data],
    way,
  ),
});

export const HELLO = record(22, clientHello('a.test', ['h2', 'http/1.1'], 100));
export const CLIENT_FIRST = 1_000_000;
/** The numbers of what the server sends begin anew behind 2³² − 1. */
export const SERVER_FIRST = 0xffff_fffc;
/** A connection over TCP: 20 ms to the server and back, TLS in two segments, one request, and its end. */
export const tcp = (atMs: number, port = 50_000): Made[] => [
  segment(atMs, SYN, { sequence: CLIENT_FIRST, port }),
  segment(atMs + 20, SYN | ACK, {
    from: 'server',
    sequence: SERVER_FIRST,
    acknowledgement: CLIENT_FIRST + 1,
    port,
  }),
  segment(atMs + 21, ACK, { sequence: CLIENT_FIRST + 1, data: HELLO.slice(0, 90), port }),
  segment(atMs + 22, ACK, { sequence: CLIENT_FIRST + 91, data: HELLO.slice(90), port }),
  segment(atMs + 45, ACK, {
    from: 'server',
    sequence: SERVER_FIRST + 1,
    acknowledgement: CLIENT_FIRST + 1 + HELLO.length,
    data: record(22, [2, 0, 0, 0]),
    port,
  }),
  segment(atMs + 47, ACK, {
    sequence: CLIENT_FIRST + 1 + HELLO.length,
    acknowledgement: SERVER_FIRST + 10,
    data: [...record(20, [1]), ...record(23, [1, 2, 3])],
    port,
  }),
  segment(atMs + 90, FIN | ACK, {
    sequence: CLIENT_FIRST + 1 + HELLO.length + 14,
    acknowledgement: SERVER_FIRST + 10,
    port,
  }),
];
