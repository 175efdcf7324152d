import { describe, expect, it } from 'vitest';
import { readNetLogRequests } from './netLogRequests.ts';

const TYPES = {
  URL_REQUEST_START_JOB: 1,
  HTTP_TRANSACTION_READ_HEADERS: 2,
  HTTP_TRANSACTION_READ_BODY: 3,
  URL_REQUEST_JOB_FILTERED_BYTES_READ: 4,
  REQUEST_ALIVE: 5,
};
const HEAD = `{"constants":${JSON.stringify({ logEventTypes: TYPES, timeTickOffset: 1000 })},\n"events": [\n`;
const line = (
  type: keyof typeof TYPES,
  [phase, time, id]: [0 | 1 | 2, number, number],
  params: object = {},
) =>
  `${JSON.stringify({ params, phase, source: { id, type: 1 }, time: String(time), type: TYPES[type] })},\n`;

const url = 'https://origin.test/a';
const whole =
  line('URL_REQUEST_START_JOB', [1, 10, 7], { url, method: 'GET' }) +
  line('HTTP_TRANSACTION_READ_HEADERS', [2, 20, 7]) +
  line('URL_REQUEST_JOB_FILTERED_BYTES_READ', [0, 25, 7], { byte_count: 100 }) +
  line('HTTP_TRANSACTION_READ_BODY', [2, 30, 7]) +
  line('URL_REQUEST_JOB_FILTERED_BYTES_READ', [0, 30, 7], { byte_count: 50 });

describe('readNetLogRequests', () => {
  it('puts first and last byte, size and outcome on the Unix clock', () => {
    expect(readNetLogRequests(`${HEAD}${whole}`)).toEqual({
      ok: true,
      value: [
        {
          url,
          method: 'GET',
          startUnixMs: 1010,
          firstByteUnixMs: 1020,
          lastByteUnixMs: 1030,
          receivedBytes: 150,
          netError: null,
        },
      ],
    });
  });

  it('reads the log of a killed browser up to its torn line', () => {
    const torn = readNetLogRequests(`${HEAD}${whole}{"params":{"byte_co`);
    expect(torn.ok && torn.value.length).toBe(1);
  });

  it('keeps the reason of a failure and the last event before the closing bracket', () => {
    const end = line('REQUEST_ALIVE', [2, 40, 7], { net_error: -356 }).replace(/,\n$/, '],\n');
    const read = readNetLogRequests(`${HEAD}${whole}${end}"polledData": []}\n`);
    expect(read.ok && read.value[0]?.netError).toBe(-356);
  });

  it('makes a redirect a request of its own', () => {
    const second = line('URL_REQUEST_START_JOB', [1, 50, 7], { url: `${url}2`, method: 'GET' });
    const read = readNetLogRequests(`${HEAD}${whole}${second}`);
    expect(read.ok && read.value.map((each) => each.url)).toEqual([url, `${url}2`]);
  });

  it('says when a file is no NetLog', () => {
    expect(readNetLogRequests('{}')).toEqual({
      ok: false,
      error: 'This is not a NetLog: its first line has no "constants".',
    });
  });
});
