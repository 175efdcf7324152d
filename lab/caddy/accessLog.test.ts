import { describe, expect, test } from 'vitest';
import { parseAccessLog, readAccessLog } from './accessLog.ts';

const line = JSON.stringify({
  ts: 1700000000.1234567,
  duration: 0.0025,
  size: 4,
  status: 206,
  request: {
    proto: 'HTTP/3.0',
    remote_port: '50123',
    method: 'GET',
    host: 'localhost:8443',
    uri: '/media/seg.m4s?a=1',
    headers: { Range: ['bytes=2-5'], Accept: ['a', 'b'] },
  },
  resp_headers: { 'Content-Type': ['video/mp4'] },
});

describe('parseAccessLog', () => {
  test('keeps sub-millisecond times and joins repeated headers', () => {
    const [record] = parseAccessLog(`${line}\n`);
    expect(record).toMatchObject({
      protocol: 'h3',
      clientPort: 50_123,
      range: 'bytes=2-5',
      sizeBytes: 4,
      durationMs: 2.5,
      requestHeaders: { accept: 'a, b' },
      responseHeaders: { 'content-type': 'video/mp4' },
    });
    expect(record?.endMs).toBeCloseTo(1700000000123.4567, 3);
    expect(record?.startMs).toBeCloseTo(1700000000120.9567, 3);
  });

  test('leaves out a line that is still being written', () => {
    expect(parseAccessLog(`${line}\n${line.slice(0, 50)}`)).toHaveLength(1);
  });

  test('names the line that is not JSON', () => {
    expect(() => parseAccessLog(`${line}\nnonsense\n`)).toThrow('no JSON on line 2: nonsense');
  });

  test('has no range and no protocol where the log has none', () => {
    const plain = line
      .replace('"Range":["bytes=2-5"],', '')
      .replace('HTTP/3.0', 'SPDY/9')
      .replace('50123', '');
    expect(parseAccessLog(`${plain}\n`)[0]).toMatchObject({ range: null, protocol: null, clientPort: null });
  });

  test('a log that does not exist yet has no records', () => {
    expect(readAccessLog('/nowhere/access.log')).toEqual([]);
  });
});
