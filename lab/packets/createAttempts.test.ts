import { createCipheriv } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ipPacketOf } from '../../src/network/capture/ipPacket.ts';
import { madeEthernet, madeIp, u16, u32 } from '../../src/network/capture/madeCapture.testing.ts';
import { block, clientHello, text } from '../../src/network/capture/madeHello.testing.ts';
import {
  CLIENT,
  SERVER,
  ICMP,
  type Made,
  type Way,
  ip,
  SYN,
  ACK,
  RST,
  segment,
  HELLO,
  CLIENT_FIRST,
  tcp,
} from '../../src/network/capture/madeSegments.testing.ts';
import { createAttempts } from './createAttempts.ts';
import { initialKeys, quicPacketsIn } from './quicPackets.ts';

function attemptsOf(...packets: readonly Made[]) {
  const attempts = createAttempts();
  for (const { atMs, frame } of packets) {
    const captured = {
      linkType: 1,
      interfaceNumber: 0,
      bytes: Uint8Array.from(frame),
      lengthBytes: frame.length,
    };
    attempts.add(atMs, ipPacketOf({ atUnixMs: atMs, ...captured })!);
  }
  return attempts.end();
}

type QuicVersion = 1 | 0x6b3343cf;
const ID = [1, 2, 3, 4, 5, 6, 7, 8];

/** An Initial, protected as RFC 9001 §5 says. */
function initial(
  number: number,
  frames: readonly number[],
  {
    id = ID,
    keysOf = id,
    version = 1,
    from = 'client',
  }: Way & { id?: readonly number[]; keysOf?: readonly number[]; version?: QuicVersion } = {},
): number[] {
  const plain = Buffer.from([...frames, ...new Array<number>(Math.max(0, 20 - frames.length)).fill(0)]);
  const length = plain.length + 2 + 16;
  const header = Buffer.from([
    (version === 1 ? 0xc0 : 0xd0) | 1,
    ...u32(version),
    ...block(1, id),
    0,
    0,
    ...u16(0x4000 | length),
    ...u16(number),
  ]);
  const known = quicPacketsIn(Buffer.concat([header, Buffer.alloc(plain.length + 16)]))[0]!.version!;
  const keys = initialKeys(known, Buffer.from(keysOf))[from];
  const nonce = Buffer.from(keys.iv);
  nonce[11]! ^= number;
  const cipher = createCipheriv('aes-128-gcm', keys.key, nonce);
  cipher.setAAD(header);
  const sealed = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  const mask = createCipheriv('aes-128-ecb', keys.header, null).update(sealed.subarray(2, 18));
  header[0]! ^= mask[0]! & 0x0f;
  for (const place of [0, 1]) header[header.length - 2 + place]! ^= mask[1 + place]!;
  return [...header, ...sealed];
}

const cryptoFrame = (at: number, bytes: readonly number[]): number[] => [
  6,
  ...u16(0x4000 | at),
  ...u16(0x4000 | bytes.length),
  ...bytes,
];
const datagram = (atMs: number, payload: readonly number[], way: Way = {}): Made => ({
  atMs,
  // Length and checksum of UDP are before what it carries.
  frame: ip(17, [0, 0, 0, 0, ...payload], way),
});
const QUIC_HELLO = clientHello('a.test', ['h3'], 200);
const SHORT = [0x41, ...new Array<number>(30).fill(9)];
/** The ClientHello in pieces that are not in order, over two Initials of a datagram and one of the next. */
const firstFlight = (atMs: number, way: Way & { version?: QuicVersion } = {}): Made[] => [
  datagram(
    atMs,
    [
      ...initial(
        0,
        [...cryptoFrame(200, QUIC_HELLO.slice(200)), 1, ...cryptoFrame(0, QUIC_HELLO.slice(0, 50))],
        way,
      ),
      ...initial(1, cryptoFrame(50, QUIC_HELLO.slice(50, 100)), way),
    ],
    way,
  ),
  datagram(atMs + 1, initial(2, cryptoFrame(100, QUIC_HELLO.slice(100, 200)), way), way),
];
const answer = (atMs: number, frames: readonly number[] = [2, 0, 0, 0, 0], port?: number): Made =>
  datagram(atMs, initial(0, frames, { id: [], keysOf: ID, from: 'server' }), {
    from: 'server',
    ...(port !== undefined && { port }),
  });

describe('an attempt over TCP', () => {
  test('has its SYN, its answer, what TLS offers, when it could be used, and its end', () => {
    const { attempts, lacking } = attemptsOf(...tcp(1000));
    expect(attempts).toMatchObject([
      {
        protocol: 'tcp',
        client: { address: CLIENT, port: 50_000 },
        server: { address: SERVER, port: 443 },
        startUnixMs: 1000,
        answeredUnixMs: 1020,
        readyUnixMs: 1047,
        serverName: 'a.test',
        alpn: ['h2', 'http/1.1'],
        end: { atUnixMs: 1090, how: 'fin', by: 'client' },
        version: null,
        sentPackets: 5,
        receivedPackets: 2,
        sentBytes: 5 * 40 + HELLO.length + 14,
        receivedBytes: 2 * 40 + 9,
      },
    ]);
    expect(lacking).toEqual([]);
  });

  test('begins with its first SYN; another one with another number is another attempt', () => {
    const again = segment(1010, SYN, { sequence: CLIENT_FIRST });
    const other = segment(3000, SYN, { sequence: 77 });
    const { attempts } = attemptsOf(...tcp(1000), again, other);
    expect(attempts.map(({ startUnixMs }) => startUnixMs)).toEqual([1000, 3000]);
    expect(attempts[1]).toMatchObject({
      answeredUnixMs: null,
      readyUnixMs: null,
      serverName: null,
      end: null,
    });
  });

  test('without TLS can be used when it is answered', () => {
    const [syn, answered] = tcp(1000);
    const asked = segment(1030, ACK, { sequence: CLIENT_FIRST + 1, data: text('GET / HTTP/1.1') });
    expect(attemptsOf(syn!, answered!, asked).attempts).toMatchObject([{ readyUnixMs: 1020, alpn: null }]);
  });

  test('that is refused or that no packet reaches ends so', () => {
    const [syn] = tcp(1000);
    const refused = segment(1021, RST | ACK, {
      from: 'server',
      sequence: 0,
      acknowledgement: CLIENT_FIRST + 1,
    });
    expect(attemptsOf(syn!, refused).attempts[0]!.end).toEqual({
      atUnixMs: 1021,
      how: 'reset',
      by: 'server',
    });
    const unreachable = icmp(1022, syn!);
    expect(attemptsOf(syn!, unreachable).attempts[0]!.end).toEqual({
      atUnixMs: 1022,
      how: 'unreachable',
      by: 'path',
    });
  });
});

/** "Port unreachable", with the beginning of the packet that it is about. */
const icmp = (atMs: number, { frame }: Made): Made => {
  const quoted = frame.slice(14, 14 + 28);
  const [kind, code, sumHigh, sumLow, ...rest] = [3, 3, 0, 0, 0, 0, 0, 0, ...quoted];
  const ports = [256 * kind! + code!, 256 * sumHigh! + sumLow!] as const;
  return {
    atMs,
    frame: madeEthernet(madeIp({ from: SERVER, to: CLIENT, protocol: ICMP, ports, payload: rest })),
  };
};

describe('an attempt over QUIC', () => {
  test.each([1, 0x6b3343cf] as const)('of version %i has what its Initials say', (version) => {
    const { attempts } = attemptsOf(
      ...firstFlight(1000, { version }),
      datagram(1020, initial(0, [2, 0, 0, 0, 0], { id: [], keysOf: ID, from: 'server', version }), {
        from: 'server',
      }),
      datagram(1022, SHORT),
    );
    expect(attempts).toMatchObject([
      {
        protocol: 'quic',
        version: version === 1 ? 'v1' : 'v2',
        startUnixMs: 1000,
        answeredUnixMs: 1020,
        readyUnixMs: 1022,
        serverName: 'a.test',
        alpn: ['h3'],
        end: null,
        sentPackets: 3,
        receivedPackets: 1,
        unansweredUnixMs: 1022,
      },
    ]);
  });

  test('that gets no answer stays one, however often its Initials come again', () => {
    const { attempts } = attemptsOf(...firstFlight(1000), ...firstFlight(1300), ...firstFlight(1900));
    expect(attempts).toMatchObject([
      {
        startUnixMs: 1000,
        lastUnixMs: 1901,
        answeredUnixMs: null,
        readyUnixMs: null,
        unansweredUnixMs: 1000,
      },
    ]);
  });

  test('is closed in an Initial by who sent it, and by ICMP where the client sends no more', () => {
    const close = [0x1c, 0x41, 0x28, 6, 0];
    const closed = attemptsOf(...firstFlight(1000), answer(1020, close)).attempts;
    expect(closed[0]!.end).toEqual({ atUnixMs: 1020, how: 'close', by: 'server' });
    const given = attemptsOf(...firstFlight(1000), datagram(5000, initial(9, close))).attempts;
    expect(given[0]!.end).toEqual({ atUnixMs: 5000, how: 'close', by: 'client' });
    const flight = firstFlight(1000);
    const unreachable = icmp(1010, flight[0]!);
    expect(attemptsOf(...flight, unreachable).attempts[0]!.end).toMatchObject({
      how: 'unreachable',
      by: 'path',
    });
    expect(attemptsOf(...flight, unreachable, ...firstFlight(1300)).attempts[0]!.end).toBeNull();
  });

  test('goes on after a Retry with other keys, and another connection on its ports is another attempt', () => {
    const given = [9, 9, 9, 9, 9, 9, 9, 9];
    const retry = datagram(1020, [0xf0, ...u32(1), 0, ...block(1, given), ...new Array<number>(30).fill(1)], {
      from: 'server',
    });
    const again = datagram(1021, initial(3, cryptoFrame(0, QUIC_HELLO), { id: given }));
    expect(attemptsOf(...firstFlight(1000), retry, again).attempts).toHaveLength(1);
    const { attempts } = attemptsOf(
      ...firstFlight(1000),
      answer(1020),
      datagram(2000, initial(0, [1], { id: given })),
    );
    expect(attempts.map(({ startUnixMs }) => startUnixMs)).toEqual([1000, 2000]);
  });

  test('whose first Initial is not in the capture has no begin where the server acknowledges it', () => {
    const first = datagram(1000, initial(5, [1]));
    const acknowledged = (largest: number, ranges: readonly number[]) =>
      attemptsOf(first, answer(1020, [2, largest, 0, ranges.length >> 1, ...ranges]));
    expect(acknowledged(6, [1]).attempts).toMatchObject([{ startUnixMs: 1000 }]);
    for (const { attempts, lacking } of [acknowledged(6, [2]), acknowledged(9, [0, 2, 1])]) {
      expect(attempts).toMatchObject([{ startUnixMs: null, firstUnixMs: 1000 }]);
      expect(lacking).toEqual(['It lacks the first packet of 1 attempt to connect.']);
    }
  });

  test('is none where UDP carries something else, an Initial that is damaged, or the end of a connection', () => {
    const damaged = initial(0, [1]);
    damaged[40]! ^= 1;
    expect(
      attemptsOf(datagram(1, damaged), datagram(2, SHORT), datagram(3, []), datagram(4, [0xc0])).attempts,
    ).toEqual([]);
  });
});

describe('packets that are missing', () => {
  test('show where only the beginning of an Initial was captured', () => {
    const attempts = createAttempts();
    const { frame } = firstFlight(1000)[0]!;
    const bytes = Uint8Array.from(frame.slice(0, 96));
    attempts.add(
      1,
      ipPacketOf({ atUnixMs: 1, linkType: 1, interfaceNumber: 0, bytes, lengthBytes: frame.length })!,
    );
    expect(attempts.end()).toMatchObject({
      attempts: [],
      lacking: ['It has only the beginning of 1 packet of QUIC: capture whole packets (tcpdump -s 0).'],
    });
  });

  test('show where an end acknowledged what nobody captured, not where the path lost and repeated them', () => {
    const all = tcp(1000);
    expect(attemptsOf(...all.filter((_, place) => place !== 3)).lacking).toEqual([
      `It lacks packets: ${HELLO.length - 90} bytes over TCP were acknowledged that are not in it.`,
    ]);
    const [late] = all.splice(3, 1);
    all.splice(4, 0, late!);
    expect(attemptsOf(...all).lacking).toEqual([]);
  });

  test('at the begin of a connection leave no attempt or one without a begin', () => {
    const all = tcp(1000);
    expect(attemptsOf(...all.slice(2))).toMatchObject({
      attempts: [],
      lacking: ['1 connection over TCP began before it.'],
    });
    expect(attemptsOf(...all.slice(1))).toMatchObject({
      attempts: [{ startUnixMs: null, client: { port: 50_000 }, answeredUnixMs: 1020 }],
      lacking: ['It lacks the first packet of 1 attempt to connect.'],
    });
  });
});

test('packets that another interface saw again count once', () => {
  const attempts = createAttempts();
  for (const interfaceNumber of [0, 1])
    for (const { atMs, frame } of tcp(1000)) {
      const bytes = Uint8Array.from(frame);
      attempts.add(
        atMs,
        ipPacketOf({ atUnixMs: atMs, linkType: 1, interfaceNumber, bytes, lengthBytes: frame.length })!,
      );
    }
  expect(attempts.end().attempts).toMatchObject([{ sentPackets: 5, receivedPackets: 2 }]);
});
