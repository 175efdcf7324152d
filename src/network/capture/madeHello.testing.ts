import { u16 } from './madeCapture.testing.ts';

/** Bytes behind their length. */
export const block = (bytes: number, content: readonly number[]): number[] => [
  ...(bytes === 1 ? [content.length] : bytes === 2 ? u16(content.length) : [0, ...u16(content.length)]),
  ...content,
];
export const text = (value: string): number[] => [...Buffer.from(value)];

/** A ClientHello of TLS 1.3 as RFC 8446 §4.1.2 has it. */
export function clientHello(serverName: string, alpn: readonly string[], paddingBytes = 0): number[] {
  const extensions = [
    ...[...u16(0), ...block(2, block(2, [0, ...block(2, text(serverName))]))],
    ...[...u16(21), ...block(2, new Array<number>(paddingBytes).fill(0))],
    ...[
      ...u16(16),
      ...block(
        2,
        block(
          2,
          alpn.flatMap((each) => block(1, text(each))),
        ),
      ),
    ],
  ];
  const random = new Array<number>(32).fill(5);
  const body = [...u16(0x0303), ...random, ...block(1, []), ...block(2, u16(0x1301)), ...block(1, [0])];
  return [1, ...block(3, [...body, ...block(2, extensions)])];
}

export const record = (kind: number, content: readonly number[]): number[] => [
  kind,
  3,
  1,
  ...block(2, content),
];
