import { describe, expect, test } from 'vitest';
import { createCaptureReader, type CapturedPacket } from './captureReader.ts';
import { madePcap, madePcapng, type MadePacket } from './madeCapture.testing.ts';

const AT = 1_764_000_000_123.456;
const PACKETS: readonly MadePacket[] = [
  { atUnixMs: AT, frame: [1, 2, 3] },
  { atUnixMs: AT + 1000.5, frame: [4, 5, 6, 7, 8], captured: 2 },
];

function read(
  bytes: Uint8Array,
  pieceBytes = bytes.length,
): { packets: CapturedPacket[]; leftBytes: number; lostPackets: number | null } {
  const reader = createCaptureReader();
  const packets: CapturedPacket[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes)
    packets.push(...reader.push(bytes.subarray(at, at + pieceBytes)));
  return { packets, ...reader.end() };
}

const of = ({ packets }: { packets: CapturedPacket[] }) =>
  packets.map(({ atUnixMs, linkType, bytes, lengthBytes }) => [
    ...[Math.round(1000 * (atUnixMs - AT)), linkType, [...bytes].join(), lengthBytes],
  ]);
const EXPECTED = [
  [0, 1, '1,2,3', 3],
  [1_000_500, 1, '4,5', 5],
];

describe.each([
  ['pcap, little-endian', madePcap(PACKETS)],
  ['pcap, big-endian', madePcap(PACKETS, { little: false })],
  ['pcap with nanoseconds', madePcap(PACKETS, { nano: true })],
  ['pcapng, little-endian', madePcapng(PACKETS)],
  ['pcapng, big-endian', madePcapng(PACKETS, { little: false })],
])('%s', (_, bytes) => {
  test('gives each packet with its time, also in pieces', () => {
    for (const pieceBytes of [bytes.length, 1, 7])
      expect([of(read(bytes, pieceBytes)), read(bytes, pieceBytes).leftBytes]).toEqual([EXPECTED, 0]);
  });

  test('cut off anywhere behind its first header gives the whole packets', () => {
    const { packets, leftBytes } = read(bytes.subarray(0, bytes.length - 1));
    expect(of({ packets })).toEqual(EXPECTED.slice(0, 1));
    expect(leftBytes).toBeGreaterThan(0);
  });
});

test('interfaces of pcapng have their own links, resolutions and offsets; a new section begins anew', () => {
  const interfaces = [
    { linkType: 1, digits: 9 },
    { linkType: 101, digits: 3, offsetSeconds: 1_000_000 },
  ];
  const at = 1_764_000_000_123;
  const first = madePcapng(
    [
      { atUnixMs: at, frame: [1] },
      { atUnixMs: at + 7, frame: [2], of: 1 },
    ],
    { interfaces },
  );
  const second = madePcapng([{ atUnixMs: at + 9, frame: [3] }], {
    little: false,
    interfaces: [{ linkType: 113 }],
  });
  const { packets } = read(Uint8Array.from([...first, ...second]));
  expect(
    packets.map((each) => [Math.round(each.atUnixMs) - at, each.linkType, each.interfaceNumber]),
  ).toEqual([
    ...[[0, 1, 0], [7, 101, 1], [9, 113, 0]], // prettier-ignore
  ]);
});

test('a pcapng file says how many packets its interfaces lost, and others do not say it', () => {
  const first = madePcapng(PACKETS, {
    interfaces: [
      { linkType: 1, lost: 3 },
      { linkType: 1, lost: 4 },
    ],
  });
  const second = madePcapng(PACKETS, { little: false, interfaces: [{ linkType: 1, lost: 5 }] });
  expect(read(Uint8Array.from([...first, ...second])).lostPackets).toBe(12);
  expect([madePcapng(PACKETS), madePcap(PACKETS)].map((bytes) => read(bytes).lostPackets)).toEqual([
    null,
    null,
  ]);
});

test('the upper bits of a link type, about checksums, are no part of it', () =>
  expect(read(madePcap(PACKETS, { linkType: 0x14000001 })).packets[0]).toMatchObject({ linkType: 1 }));

const changed = (bytes: Uint8Array, at: number, ...values: number[]): Uint8Array => {
  const copy = Uint8Array.from(bytes);
  copy.set(values, at);
  return copy;
};

test.each([
  [
    'text',
    Uint8Array.from([...'time_s,rate'].map((letter) => letter.charCodeAt(0))),
    /no capture in the formats/,
    0,
  ],
  ['gzip', Uint8Array.from([0x1f, 0x8b, 8, 0, 0]), /compressed; unpack it first/, 0],
  ['three bytes', Uint8Array.from([0xd4, 0xc3, 0xb2]), /too short for a capture/, 3],
  ['nothing', new Uint8Array(0), /too short for a capture/, 0],
  ['a record of 4 GB', changed(madePcap(PACKETS), 32, 255, 255, 255, 255), /has 4294967295 bytes/, 24],
  ['a block of 3 bytes', changed(madePcapng(PACKETS), 4, 3, 0, 0, 0), /A block has 3 bytes/, 0],
  ['a section without order', changed(madePcapng(PACKETS), 8, 9), /order of bytes/, 0],
  [
    'a time beyond all calendars',
    changed(madePcapng(PACKETS), 88, 255, 255, 255, 255),
    /not between the years 1970 and 9999.*offset of interface 0/,
    76,
  ],
  ['an interface that is not there', madePcapng([{ ...PACKETS[0]!, of: 3 }]), /of interface 3, which/, 76],
])('%s is refused with its place', (_, bytes, sentence, atByte) => {
  try {
    read(bytes);
    expect.unreachable();
  } catch (error) {
    expect((error as Error).message).toMatch(sentence);
    expect(error).toMatchObject({ atByte });
  }
});
