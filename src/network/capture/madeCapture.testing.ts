/** Captures that tests make by hand, byte by byte. */

export interface MadePacket {
  readonly atUnixMs: number;
  readonly frame: readonly number[];
  /** Number of bytes that were captured; absent: all. */
  readonly captured?: number;
}

export const u16 = (value: number, little = false): number[] =>
  little ? [value & 255, value >> 8] : [value >> 8, value & 255];

export const u32 = (value: number, little = false): number[] => {
  const bytes = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  return little ? bytes.reverse() : bytes;
};

export interface MadeForm {
  readonly little?: boolean;
  readonly nano?: boolean;
  readonly linkType?: number;
}

export function madePcap(
  packets: readonly MadePacket[],
  { little = true, nano = false, linkType = 1 }: MadeForm = {},
): Uint8Array {
  const perMs = nano ? 1e6 : 1e3;
  return Uint8Array.from([
    ...[...u32(nano ? 0xa1b23c4d : 0xa1b2c3d4, little), ...u16(2, little), ...u16(4, little)],
    ...[0, 0, 262_144, linkType].flatMap((value) => u32(value, little)),
    ...packets.flatMap(({ atUnixMs, frame, captured = frame.length }) => {
      const seconds = Math.floor(atUnixMs / 1000);
      const fraction = Math.round((atUnixMs - 1000 * seconds) * perMs);
      return [
        ...[seconds, fraction, captured, frame.length].flatMap((value) => u32(value, little)),
        ...frame.slice(0, captured),
      ];
    }),
  ]);
}

const padded = (bytes: readonly number[]): number[] => [
  ...bytes,
  ...new Array<number>((4 - (bytes.length % 4)) % 4).fill(0),
];

const block = (kind: number, content: readonly number[], little: boolean): number[] => {
  const length = u32(content.length + 12, little);
  return [...u32(kind, little), ...length, ...content, ...length];
};

export interface MadeInterface {
  readonly linkType: number;
  /** Number of packets that it lost, as its statistics say. */
  readonly lost?: number | null;
  /** Number of decimal digits of a second in the timestamps. */
  readonly digits?: number;
  readonly offsetSeconds?: number;
}

/** A section with these interfaces, then the packets, each of one of them. */
export function madePcapng(
  packets: readonly (MadePacket & { readonly of?: number })[],
  {
    little = true,
    interfaces = [{ linkType: 1 }],
  }: { readonly little?: boolean; readonly interfaces?: readonly MadeInterface[] } = {},
): Uint8Array {
  const option = (code: number, value: readonly number[]): number[] => [
    ...u16(code, little),
    ...u16(value.length, little),
    ...padded(value),
  ];
  const section = [
    ...u32(0x1a2b3c4d, little),
    ...u16(1, little),
    ...u16(0, little),
    ...u32(0xffffffff),
    ...u32(0xffffffff),
  ];
  const described = interfaces.map(({ linkType, digits, offsetSeconds }) => [
    ...u16(linkType, little),
    ...u16(0, little),
    ...u32(0, little),
    // A comment, whose length is no multiple of 4.
    ...option(1, [104, 105, 33]),
    ...(digits === undefined ? [] : option(9, [digits])),
    ...(offsetSeconds === undefined
      ? []
      : option(14, little ? [...u32(offsetSeconds, true), 0, 0, 0, 0] : [0, 0, 0, 0, ...u32(offsetSeconds)])),
    ...option(0, []),
  ]);
  return Uint8Array.from([
    ...block(0x0a0d0d0a, section, little),
    ...described.flatMap((content) => block(1, content, little)),
    // Statistics, which are no packet.
    ...block(5, u32(0, little), little),
    ...interfaces.flatMap(({ lost = null }, of) => {
      if (lost === null) return [];
      const count = little ? [...u32(lost, true), 0, 0, 0, 0] : [0, 0, 0, 0, ...u32(lost)];
      return block(5, [...[of, 0, 0].flatMap((value) => u32(value, little)), ...option(5, count)], little);
    }),
    ...packets.flatMap(({ atUnixMs, frame, captured = frame.length, of = 0 }) => {
      const { digits = 6, offsetSeconds = 0 } = interfaces[of] ?? { linkType: 1 };
      const ticks = Math.round((atUnixMs - 1000 * offsetSeconds) * 10 ** (digits - 3));
      const header = [of, Math.floor(ticks / 2 ** 32), ticks % 2 ** 32, captured, frame.length];
      return block(
        6,
        [...header.flatMap((value) => u32(value, little)), ...padded(frame.slice(0, captured))],
        little,
      );
    }),
  ]);
}

export interface MadeDatagram {
  readonly from: string;
  readonly to: string;
  readonly protocol?: number;
  readonly ports?: readonly [number, number];
  /** Number of bytes behind the ports, all alike. */
  readonly payloadBytes?: number;
  /** The bytes themselves. */
  readonly payload?: readonly number[];
  /** Identification of the IPv4 header. */
  readonly identification?: number;
  readonly hops?: number;
}

const addressBytes = (address: string): number[] =>
  address.includes(':')
    ? expanded(address).flatMap((group) => u16(parseInt(group, 16)))
    : address.split('.').map(Number);

function expanded(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => (part === '' ? [] : part.split(':')));
  if (tail === undefined) return before!;
  return [...before!, ...new Array<string>(8 - before!.length - after!.length).fill('0'), ...after!];
}

export function madeIp({
  from,
  to,
  protocol = 17,
  ports = [443, 50_000],
  payloadBytes = 96,
  payload: behindPorts = new Array<number>(payloadBytes).fill(7),
  identification = 0,
  hops = 64,
}: MadeDatagram): number[] {
  const payload = [...ports.flatMap((port) => u16(port)), ...behindPorts];
  return from.includes(':')
    ? [
        0x60,
        0,
        0,
        0,
        ...u16(payload.length),
        protocol,
        hops,
        ...addressBytes(from),
        ...addressBytes(to),
        ...payload,
      ]
    : [
        ...[0x45, 0, ...u16(20 + payload.length), ...u16(identification), 0x40, 0, hops, protocol, 0, 0],
        ...[...addressBytes(from), ...addressBytes(to), ...payload],
      ];
}

/** `tags`: VLAN numbers, outermost first. */
export const madeEthernet = (ip: readonly number[], tags: readonly number[] = []): number[] => [
  ...new Array<number>(12).fill(2),
  ...tags.flatMap((tag) => [0x81, 0, ...u16(tag)]),
  ...u16(ip[0]! >> 4 === 6 ? 0x86dd : 0x0800),
  ...ip,
];
