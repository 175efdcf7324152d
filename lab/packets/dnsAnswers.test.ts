import { expect, test } from 'vitest';
import { u16, u32 } from '../../src/network/capture/madeCapture.testing.ts';
import { hostsWithH3 } from './dnsAnswers.ts';
import { block, text } from '../../src/network/capture/madeHello.testing.ts';

const name = (...labels: readonly string[]): number[] => [
  ...labels.flatMap((label) => block(1, text(label))),
  0,
];
const ANSWER = 0x8180;
const HTTPS = 65;

/** A message with a question, and an answer whose name points back to that of the question. */
const message = (owner: readonly number[], content: readonly number[], flags = ANSWER): number[] => [
  ...[1, flags, 1, 1, 0, 0].flatMap((value) => u16(value)),
  ...[...owner, ...u16(HTTPS), ...u16(1)],
  ...[0xc0, 12, ...u16(HTTPS), ...u16(1), ...u32(60), ...block(2, content)],
];

/** A record of the server itself that offers these protocols. */
function service(...alpn: readonly string[]): number[] {
  const protocols = alpn.flatMap((each) => block(1, text(each)));
  return [...u16(1), 0, ...u16(1), ...block(2, protocols)];
}

const owner = name('a', 'test');
const asked = message(owner, service('h3'));

test.each([
  ['with h3', message(owner, service('h3', 'h2')), ['a.test']],
  ['for another port', message(name('_8443', '_https', 'A', 'test'), service('h3')), ['a.test']],
  ['without h3', message(owner, service('h2')), []],
  ['that is a question', message(owner, service('h3'), 0x0100), []],
  ['whose name points to itself', [...asked.slice(0, 12), 0xc0, 12, 0, 0, 0, 0], []],
  ['cut off', asked.slice(0, 40), []],
])('hosts of an answer of DNS %s', (_, bytes, hosts) =>
  expect(hostsWithH3(Buffer.from(bytes))).toEqual(hosts),
);
