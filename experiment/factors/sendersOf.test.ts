import { expect, test } from 'vitest';
import { formatQuicController, sendersOf } from './sendersOf.ts';

test.each([
  ['reno', { tcp: 'reno', quic: 'reno', emulatedConnections: null, maxWindowPackets: null }, 'reno'],
  [
    'tcp=cubic:quic=bbr',
    { tcp: 'cubic', quic: 'bbr', emulatedConnections: null, maxWindowPackets: null },
    'bbr',
  ],
  [
    'tcp=cubic:quic=cubic-x6',
    { tcp: 'cubic', quic: 'cubic', emulatedConnections: 6, maxWindowPackets: null },
    'cubic-x6',
  ],
  [
    'tcp=cubic:quic=cubic-x2-max500',
    { tcp: 'cubic', quic: 'cubic', emulatedConnections: 2, maxWindowPackets: 500 },
    'cubic-x2-max500',
  ],
  [
    'tcp=reno:quic=reno-max2',
    { tcp: 'reno', quic: 'reno', emulatedConnections: null, maxWindowPackets: 2 },
    'reno-max2',
  ],
] as const)('%s', (text, value, quic) => {
  expect(sendersOf(text)).toEqual({ ok: true, value });
  expect(formatQuicController(value)).toBe(quic);
});

test.each([
  'vegas',
  '',
  'cubic-x6',
  'tcp=cubic',
  'tcp=cubic-x2:quic=cubic',
  'tcp=cubic:quic=bbr-x2',
  'tcp=reno:quic=cubic-x1',
  'tcp=reno:quic=cubic-x101',
  'tcp=reno:quic=cubic-max1',
  'tcp=reno:quic=cubic-max100000',
  'tcp=reno:quic=cubic-max500-x2',
  'tcp=reno-max500:quic=cubic',
  'cubic-max500',
])('"%s" is refused in a sentence', (text) =>
  expect(sendersOf(text)).toEqual({
    ok: false,
    error: `Unknown controller "${text}": write reno, cubic, bbr for both transports, or tcp=cubic:quic=bbr; QUIC alone may be cubic-x2 to cubic-x100, and end with -max2 to -max99999 (packets).`,
  }),
);
