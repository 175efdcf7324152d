import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { hexOf, sha256 } from './sha256.ts';

// FIPS 180-4, examples of one block and of two.
it.each([
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  [
    'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
    '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
  ],
])('hashes the example %s', (text, digest) => expect(hexOf(sha256(text))).toBe(digest));

it('agrees with Node at every length around blocks', () => {
  for (let length = 0; length < 300; length++) {
    const text = Array.from({ length }, (_, at) => String.fromCharCode((at * 31 + length) % 128)).join('');
    expect(hexOf(sha256(text))).toBe(createHash('sha256').update(text).digest('hex'));
  }
});

it('refuses what it would hash in another way than a server', () =>
  expect(() => sha256('ä')).toThrow('SHA-256 in a page takes ASCII characters only.'));

it('formats as many bytes as are wanted', () => expect(hexOf(Uint8Array.of(0, 255, 16), 2)).toBe('00ff'));
