import { describe, expect, test } from 'vitest';
import { initialKeys, openInitial, quicPacketsIn, readInitialFrames } from './quicPackets.ts';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');
/** Destination id of the examples in RFC 9001 (appendix A) and RFC 9369 (appendix A). */
const ID = hex('8394c8f03e515708');
/** A client's Initial of either version, as far as its header. */
const header = (first: number, version: string): Buffer =>
  Buffer.concat([
    Buffer.from([first]),
    hex(version),
    Buffer.from([8]),
    ID,
    hex('0000'),
    hex('4014'),
    Buffer.alloc(20),
  ]);

describe.each([
  [
    'v1, RFC 9001 A.1',
    header(0xc0, '00000001'),
    ['1f369613dd76d5467730efcbe3b1a22d', 'fa044b2f42a3fd3b46fb255c', '9f50449e04a0e810283a1e9933adedd2'],
    ['cf3a5331653c364c88f0f379b6067e37', '0ac1493ca1905853b0bba03e', 'c206b8d9b9f0f37644430b490eeaa314'],
  ],
  [
    'v2, RFC 9369 A.1',
    header(0xd0, '6b3343cf'),
    ['8b1a0bc121284290a29e0971b5cd045d', '91f73e2351d8fa91660e909f', '45b95e15235d6f45a6b19cbcb0294ba9'],
    ['82db637861d55e1d011f19ea71d5d2a7', 'dd13c276499c0249d3310652', 'edf6d05c83121201b436e16877593c3a'],
  ],
])('an Initial of %s', (_, datagram, client, server) => {
  test('has the keys of its destination id', () => {
    const [packet] = quicPacketsIn(datagram);
    expect(packet).toMatchObject({ kind: 'initial', destination: ID });
    const keys = initialKeys(packet!.version!, packet!.destination!);
    const texts = [keys.client, keys.server].map(({ key, iv, header: hp }) =>
      [key, iv, hp].map((each) => each.toString('hex')),
    );
    expect(texts).toEqual([client, server]);
  });
});

/** RFC 9001 A.3. */
const SERVER_INITIAL = hex(
  [
    'cf000000010008f067a5502a4262b5004075c0d95a482cd0991cd25b0aac406a',
    '5816b6394100f37a1c69797554780bb38cc5a99f5ede4cf73c3ec2493a1839b3',
    'dbcba3f6ea46c5b7684df3548e7ddeb9c3bf9c73cc3f3bded74b562bfb19fb84',
    '022f8ef4cdd93795d77d06edbb7aaf2f58891850abbdca3d20398c276456cbc4',
    '2158407dd074ee',
  ].join(''),
);

test("the server's Initial of RFC 9001 A.3 opens, and is an ACK and a ServerHello", () => {
  const [packet] = quicPacketsIn(SERVER_INITIAL);
  const { server, client } = initialKeys(packet!.version!, ID);
  const opened = openInitial(packet!, server)!;
  expect(opened.number).toBe(1);
  const { crypto, closeError } = readInitialFrames(opened.frames);
  expect([crypto.length, crypto[0]!.at, crypto[0]!.bytes.length, closeError]).toEqual([1, 0, 90, null]);
  expect(crypto[0]!.bytes.subarray(0, 4).toString('hex')).toBe('02000056');
  expect(openInitial(packet!, client)).toBeNull();
});

test('packets of a datagram are told apart, and what is cut off or of another version ends them', () => {
  const both = Buffer.concat([SERVER_INITIAL, Buffer.from([0x41, 1, 2, 3])]);
  expect(quicPacketsIn(both).map(({ kind, bytes }) => [kind, bytes.length])).toEqual([
    ['initial', 135],
    ['short', 4],
  ]);
  for (let length = 0; length < SERVER_INITIAL.length; length += 1)
    expect(quicPacketsIn(SERVER_INITIAL.subarray(0, length)), `${length} bytes`).toEqual([]);
  const other = Buffer.from(SERVER_INITIAL);
  other.writeUInt32BE(0x0a0a0a0a, 1);
  expect(quicPacketsIn(other)).toEqual([]);
});

test('frames are read up to the first that an Initial may not have, and lengths that lie end them', () => {
  expect(readInitialFrames(hex('00000106000141'))).toEqual({
    crypto: [{ at: 0, bytes: hex('41') }],
    acknowledged: null,
    closeError: null,
  });
  expect(readInitialFrames(hex('03000000000000001c4128060000'))).toMatchObject({
    crypto: [],
    closeError: 0x128,
  });
  expect(readInitialFrames(hex('08ff0600014141')).crypto).toEqual([]);
  expect(readInitialFrames(hex('0600ffffffffffffffff41')).crypto).toEqual([{ at: 0, bytes: hex('41') }]);
  expect(readInitialFrames(hex('0200bfffffffffffffff'))).toMatchObject({ crypto: [], acknowledged: null });
});
