import { describe, expect, test } from 'vitest';
import { ipPacketOf, isKnownLinkType } from './ipPacket.ts';
import { madeEthernet, madeIp } from './madeCapture.testing.ts';

const V4 = { from: '203.0.113.7', to: '10.0.0.2' };
const V6 = { from: '2001:db8::7', to: 'fe80::1:0:0:2' };

const packetOf = (frame: readonly number[], linkType = 1, captured = frame.length) =>
  ipPacketOf({
    atUnixMs: 0,
    linkType,
    interfaceNumber: 2,
    lengthBytes: frame.length,
    bytes: Uint8Array.from(frame.slice(0, captured)),
  });

describe('the headers of a packet', () => {
  test('say addresses, transport, ports and the length of the whole packet', () => {
    expect(packetOf(madeEthernet(madeIp(V4)))).toEqual({
      source: '203.0.113.7',
      destination: '10.0.0.2',
      protocol: 'udp',
      ports: [443, 50_000],
      transport: expect.any(DataView),
      transportBytes: 100,
      ipBytes: 120,
      seenOn: '2 ',
      copyHash: expect.any(Number),
    });
    expect(packetOf(madeEthernet(madeIp({ ...V6, protocol: 6, ports: [80, 1] })))).toEqual({
      source: '2001:db8::7',
      destination: 'fe80::1:0:0:2',
      protocol: 'tcp',
      ports: [80, 1],
      transport: expect.any(DataView),
      transportBytes: 100,
      ipBytes: 140,
      seenOn: '2 ',
      copyHash: expect.any(Number),
    });
  });

  test('say the same where only the headers were captured, or a card was to fill in the length', () => {
    const frame = madeEthernet(madeIp({ ...V4, payloadBytes: 1400 }));
    expect(packetOf(frame, 1, 38)).toMatchObject({ ports: [443, 50_000], ipBytes: 1424 });
    expect(packetOf(frame, 1, 34)).toMatchObject({ ports: null, ipBytes: 1424 });
    expect(packetOf(frame, 1, 33)).toBeNull();
    const large = [...frame];
    [large[16], large[17]] = [0, 0];
    expect(packetOf(large)).toMatchObject({ ipBytes: 1424 });
  });

  test.each([
    [1, madeEthernet(madeIp(V4), [5])],
    [1, madeEthernet(madeIp(V4), [5, 6])],
    [0, [2, 0, 0, 0, ...madeIp(V4)]],
    [108, [0, 0, 0, 2, ...madeIp(V4)]],
    [101, madeIp(V4)],
    [12, madeIp(V4)],
    [113, [...new Array<number>(14).fill(0), 8, 0, ...madeIp(V4)]],
    [276, [8, 0, ...new Array<number>(18).fill(0), ...madeIp(V4)]],
  ])('are found behind those of link type %i', (linkType, frame) => {
    expect(isKnownLinkType(linkType)).toBe(true);
    expect(packetOf(frame, linkType)).toMatchObject({ source: '203.0.113.7', ipBytes: 120 });
  });

  test('captured on "any" say which device saw them', () => {
    const v2 = (device: number): number[] => [8, 0, 0, 0, 0, 0, 0, device, ...new Array<number>(12).fill(0)];
    const v1 = (direction: number, card: number): number[] => [
      ...[0, direction, 0, 1, 0, 6, 2, 0, 0, 0, 0, card, 0, 0, 8, 0],
    ];
    const seenOn = (header: readonly number[]) =>
      packetOf([...header, ...madeIp(V4)], header.length === 20 ? 276 : 113)!.seenOn;
    const all = [v2(3), v2(7), v1(0, 1), v1(4, 1), v1(4, 2)].map(seenOn);
    expect(new Set(all).size).toBe(5);
    expect(all).toEqual([v2(3), v2(7), v1(0, 1), v1(4, 1), v1(4, 2)].map(seenOn));
  });

  test('and what follows them are the same in copies of a packet, behind a router and in another VLAN, too', () => {
    const hash = (ip: readonly number[], captured?: number) =>
      packetOf(madeEthernet(ip), 1, captured)!.copyHash;
    const v4 = { ...V4, identification: 7 };
    expect(packetOf(madeEthernet(madeIp({ ...v4, hops: 63 }), [5]))!.copyHash).toBe(hash(madeIp(v4)));
    expect(hash(madeIp({ ...V6, hops: 63 }))).toBe(hash(madeIp(V6)));
    const others = [
      { identification: 8 },
      { ports: [443, 50_001] },
      { to: '10.0.0.3' },
      { payloadBytes: 97 },
    ] as const;
    for (const change of others) expect(hash(madeIp({ ...v4, ...change }))).not.toBe(hash(madeIp(v4)));
    const moreLate = [...madeIp(v4).slice(0, -1), 8];
    expect(hash(moreLate)).not.toBe(hash(madeIp(v4)));
  });

  test('of a packet of which little was captured do not tell it from others', () => {
    const frame = madeEthernet(madeIp(V4));
    expect(packetOf(frame, 1, 14 + 20 + 19)!.copyHash).toBeNull();
    expect(packetOf(frame, 1, 14 + 20 + 20)!.copyHash).not.toBeNull();
    const numbered = madeEthernet(madeIp({ ...V4, identification: 7 }));
    expect(packetOf(numbered, 1, 14 + 20 + 7)!.copyHash).toBeNull();
    expect(packetOf(numbered, 1, 14 + 20 + 8)!.copyHash).not.toBeNull();
  });

  test('of IPv6 may stand behind others, and only a first fragment has ports', () => {
    const plain = madeIp({ ...V6, payloadBytes: 4 });
    const withHeader = (kind: number, header: readonly number[]): number[] => {
      const packet = [...plain.slice(0, 40), ...header, ...plain.slice(40)];
      packet[6] = kind;
      packet[5] = plain[5]! + header.length;
      return packet;
    };
    expect(packetOf(withHeader(0, [17, 0, 0, 0, 0, 0, 0, 0]), 101)).toMatchObject({
      protocol: 'udp',
      ports: [443, 50_000],
      ipBytes: 56,
    });
    expect(packetOf(withHeader(44, [17, 0, 0, 1, 0, 0, 0, 9]), 101)).toMatchObject({ ports: [443, 50_000] });
    expect(packetOf(withHeader(44, [17, 0, 0, 8, 0, 0, 0, 9]), 101)).toMatchObject({
      protocol: 'udp',
      ports: null,
    });
  });

  test('come before what the transport carries, without what fills a short frame up', () => {
    const frame = [...madeEthernet(madeIp({ ...V4, payload: [1, 2, 3] })), 9, 9, 9];
    const { transport, transportBytes } = packetOf(frame)!;
    const bytes = new Uint8Array(transport.buffer, transport.byteOffset, transport.byteLength);
    expect([[...bytes], transportBytes]).toEqual([[1, 187, 195, 80, 1, 2, 3], 7]);
    expect(packetOf(frame, 1, 14 + 20 + 5)).toMatchObject({ transportBytes: 7 });
  });

  test('of a later fragment of IPv4, or of ICMP, have no ports', () => {
    const later = madeIp(V4);
    later[7] = 2;
    expect(packetOf(later, 101)).toMatchObject({ protocol: 'udp', ports: null, ipBytes: 120 });
    expect(packetOf(madeIp({ ...V4, protocol: 1 }), 101)).toMatchObject({ protocol: 'icmp', ports: null });
    expect(packetOf(madeIp({ ...V4, protocol: 47 }), 101)).toMatchObject({ protocol: 'other', ports: null });
  });

  test('are not there in ARP, in an empty frame, and in a link type that is not known', () => {
    const arp = madeEthernet(madeIp(V4));
    arp[13] = 6;
    expect([packetOf(arp), packetOf([], 101), packetOf(madeIp(V4), 105), packetOf([0x50], 101)]).toEqual([
      ...[null, null, null, null],
    ]);
    expect(isKnownLinkType(105)).toBe(false);
  });
});

test.each([
  ['::', '::'],
  ['::1', '::1'],
  ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
  ['2001:db8::', '2001:db8::'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4:5:6:7:8'],
])('%s is written as RFC 5952 says: %s', (address, text) =>
  expect(packetOf(madeIp({ from: address, to: '::2' }), 101)).toMatchObject({ source: text }),
);
