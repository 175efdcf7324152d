import { describe, expect, test } from 'vitest';
import { ipPacketOf } from '../../src/network/capture/ipPacket.ts';
import { clientHello, record } from '../../src/network/capture/madeHello.testing.ts';
import {
  type Made,
  SYN,
  ACK,
  segment,
  HELLO,
  CLIENT_FIRST,
  tcp,
} from '../../src/network/capture/madeSegments.testing.ts';
import { MAX_PIECES, MAX_PIECES_BYTES } from './clientHello.ts';
import { createAttempts, MAX_ATTEMPTS } from './createAttempts.ts';

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

describe('a capture of an attacker', () => {
  const syn = (port: number): Made => segment(1, SYN, { sequence: CLIENT_FIRST, port });
  const part = (port: number, data: readonly number[]): Made =>
    segment(2, ACK, { sequence: CLIENT_FIRST + 1, data, port });

  test('does not fill the memory with pieces of ClientHellos, and it is said which were not read', () => {
    const attempts = createAttempts();
    const add = ({ atMs, frame }: Made): void => {
      const bytes = Uint8Array.from(frame);
      const captured = { linkType: 1, interfaceNumber: 0, bytes, lengthBytes: frame.length };
      attempts.add(atMs, ipPacketOf({ atUnixMs: atMs, ...captured })!);
    };
    const beforeBytes = process.memoryUsage().arrayBuffers;
    for (let port = 1; port <= 18; port += 1) {
      add(syn(port));
      const piece = part(port, record(22, new Array<number>(15_000).fill(2)));
      for (let count = 0; count < 250; count += 1) add(piece);
    }
    globalThis.gc?.();
    expect(process.memoryUsage().arrayBuffers - beforeBytes).toBeLessThan(1.5 * MAX_PIECES_BYTES);
    for (const packet of tcp(1000)) add(packet);
    const { attempts: found, lacking } = attempts.end();
    expect(lacking[0]).toMatch(/^What 1 attempt offered was not read: .* 256 pieces, or more than 67\.1 MB/);
    expect(found.at(-1)).toMatchObject({ serverName: 'a.test', readyUnixMs: 1047 });
  });

  test('has attempts without an offer where a ClientHello has too many pieces, protocols, or too long a name', () => {
    const pieces = [...HELLO].map((byte, place) =>
      segment(2, ACK, { sequence: CLIENT_FIRST + 1 + place, data: [byte], port: 1 }),
    );
    expect(attemptsOf(syn(1), ...pieces)).toMatchObject({
      attempts: [{ serverName: 'a.test' }],
      lacking: [],
    });
    const again = new Array<Made>(MAX_PIECES).fill(pieces[0]!);
    expect(attemptsOf(syn(1), ...again, ...pieces)).toMatchObject({
      attempts: [{ serverName: null, alpn: null }],
      lacking: [expect.stringMatching(/^What 1 attempt offered was not read/)],
    });
    for (const hello of [
      clientHello('a'.repeat(256), ['h2'], 9),
      clientHello('a.test', new Array<string>(33).fill('x'), 9),
    ])
      expect(attemptsOf(syn(1), part(1, record(22, hello))).attempts).toMatchObject([
        { serverName: null, alpn: null },
      ]);
  });
});

test('a capture with too many attempts is refused', () => {
  const attempts = createAttempts();
  const add = (port: number, host: number): void => {
    const frame = segment(1, SYN, { sequence: 1, port }).frame.slice();
    frame[33] = host;
    attempts.add(
      1,
      ipPacketOf({
        atUnixMs: 1,
        linkType: 1,
        interfaceNumber: 0,
        bytes: Uint8Array.from(frame),
        lengthBytes: frame.length,
      })!,
    );
  };
  for (let count = 0; count < MAX_ATTEMPTS; count += 1) add(1 + count, 1);
  expect(() => add(1, 2)).toThrow(RangeError);
});
