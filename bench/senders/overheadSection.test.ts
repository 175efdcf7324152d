import { expect, test } from 'vitest';
import { h2Packet, h3Packet, overheadOf, paperQuic, paperTcp } from './overheadSection.ts';

test.each([
  ["the paper's TCP", paperTcp, 0.0436],
  ["the paper's QUIC", paperQuic, 0.046],
  ['h2 in TLS on a packet of 1514 bytes', h2Packet(), 0.0454],
  ["h3 in quinn's largest datagram", h3Packet(), 0.0515],
  ['h3 for a browser, whose connection id is empty', h3Packet({ connectionIdBytes: 0 }), 0.0462],
])('%s', (_name, shape, wanted) => expect(overheadOf(shape)).toBeCloseTo(wanted, 3));
