import { describe, expect, test } from 'vitest';
import { headOfPart, readRange } from './byteRange.ts';

const whole = { first: 0, last: 9, isWhole: true };
const part = (first: number, last: number) => ({ first, last, isWhole: false });

describe('readRange, of a file of 10 bytes', () => {
  test.each([
    [undefined, whole],
    ['bytes=2-5', part(2, 5)],
    ['Bytes=2-', part(2, 9)],
    ['bytes=-3', part(7, 9)],
    ['bytes=-30', part(0, 9)],
    ['bytes=5-999', part(5, 9)],
    // No byte of them is in the file.
    ['bytes=10-', null],
    ['bytes=-0', null],
    // Several ranges, and what is no range, may be ignored (RFC 9110 §14.2).
    ['bytes=0-1,3-4', whole],
    ['bytes=5-2', whole],
    ['bytes=-', whole],
    ['bytes=a-b', whole],
    ['seconds=0-1', whole],
  ])('%s', (header, expected) => expect(readRange(header, 10)).toEqual(expected));

  test('nothing is in an empty file', () => expect(readRange('bytes=0-', 0)).toBeNull());
});

describe('headOfPart', () => {
  test.each([
    [whole, 200, { 'Content-Length': 10, 'Accept-Ranges': 'bytes' }],
    [part(2, 5), 206, { 'Content-Length': 4, 'Accept-Ranges': 'bytes', 'Content-Range': 'bytes 2-5/10' }],
    [null, 416, { 'Content-Range': 'bytes */10' }],
  ])('%j', (of, status, headers) => expect(headOfPart(of, 10)).toEqual({ status, headers }));
});
