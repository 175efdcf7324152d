import { createSocket } from 'node:dgram';
import { expect, test } from 'vitest';
import { readHttpsRecords } from '../../lab/dns/message.ts';
import { httpsRecordsOf } from './httpsRecord.ts';

/** An answer to a question for svc.example, as the wire format of RFC 1035 and RFC 9460 has it. */
function replyOf(...records: readonly Buffer[]): Buffer {
  const head = Buffer.from([0, 7, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
  const name = Buffer.from('\x03svc\x07example\0', 'latin1');
  const answers = records.map((data) =>
    Buffer.concat([Buffer.from([0xc0, 12, 0, 65, 0, 1, 0, 0, 1, 44, 0, data.length]), data]),
  );
  return Buffer.concat([head, name, Buffer.from([0, 65, 0, 1]), ...answers]);
}

test('records are read with target, alpn and port', () => {
  const alias = Buffer.from('\0\0\x03foo\x07example\0', 'latin1');
  // RFC 9460, appendix D.2, figures 4 and 9, in the form of an HTTPS record.
  const service = Buffer.from('\0\x10\x03foo\x07example\0\0\x03\0\x02\0\x35', 'latin1');
  const alpn = Buffer.from('\0\x01\0\0\x01\0\x06\x02h3\x02h2', 'latin1');
  expect(readHttpsRecords(replyOf(alias, service, alpn))).toEqual([
    { priority: 0, target: 'foo.example', alpn: [], port: null },
    { priority: 16, target: 'foo.example', alpn: [], port: 53 },
    { priority: 1, target: '', alpn: ['h3', 'h2'], port: null },
  ]);
});

test('a name that nobody has has no record; a refusal and half an answer are errors', () => {
  const reply = replyOf(Buffer.from('\0\x01\0', 'latin1'));
  const withCode = (code: number): Buffer =>
    Buffer.concat([reply.subarray(0, 3), Buffer.from([0x80 | code]), reply.subarray(4)]);
  expect(readHttpsRecords(withCode(3))).toEqual([]);
  expect(() => readHttpsRecords(withCode(5))).toThrow('it answers with the error 5');
  expect(() => readHttpsRecords(reply.subarray(0, -2))).toThrow('its answer cannot be read');
});

test('nothing is asked about this machine and about addresses', async () => {
  for (const origin of [
    'https://localhost:8443',
    'https://a.localhost',
    'https://127.0.0.1',
    'https://[::1]',
  ])
    expect(await httpsRecordsOf(origin, '127.0.0.1:9')).toEqual([]);
});

test('a resolver that does not answer is a reason', async () => {
  const silent = createSocket('udp4');
  await new Promise<void>((resolve) => silent.bind(0, '127.0.0.1', resolve));
  const asked: string[] = [];
  silent.on('message', (question) => asked.push(question.toString('latin1', 12, question.indexOf(0, 12))));
  const resolver = `127.0.0.1:${silent.address().port}`;
  await expect(httpsRecordsOf('https://cdn.example:8443', resolver)).rejects.toThrow(
    `the resolver ${resolver}: no answer within 1500 ms`,
  );
  silent.close();
  expect(asked).toEqual(Array(2).fill('\x05_8443\x06_https\x03cdn\x07example'));
});
