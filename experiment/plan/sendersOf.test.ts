import { expect, test } from 'vitest';
import { sendersOf } from './sendersOf.ts';

test.each([
  ['reno', { tcp: 'reno', quic: 'reno', emulatedConnections: null }],
  ['tcp=cubic:quic=bbr', { tcp: 'cubic', quic: 'bbr', emulatedConnections: null }],
  ['tcp=cubic:quic=cubic-x6', { tcp: 'cubic', quic: 'cubic', emulatedConnections: 6 }],
])('%s', (text, value) => expect(sendersOf(text)).toEqual({ ok: true, value }));

test.each([
  'vegas',
  '',
  'cubic-x6',
  'tcp=cubic',
  'tcp=cubic-x2:quic=cubic',
  'tcp=cubic:quic=bbr-x2',
  'tcp=reno:quic=cubic-x1',
  'tcp=reno:quic=cubic-x101',
])('"%s" is refused in a sentence', (text) =>
  expect(sendersOf(text)).toEqual({
    ok: false,
    error: `Unknown controller "${text}": write reno, cubic, bbr for both transports, or tcp=cubic:quic=bbr; QUIC alone may be cubic-x2 to cubic-x100.`,
  }),
);
