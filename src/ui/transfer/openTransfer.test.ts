import { expect, test } from 'vitest';
import { basesIn } from './openTransfer.ts';

const read = (...bases: string[]): string[] =>
  basesIn(new URLSearchParams(bases.map((base) => ['base', base])));

test('the files are below the folder that is named, with a last slash or without', () => {
  expect(read('https://cdn.example/files', 'https://cdn.example/files/')).toEqual([
    'https://cdn.example/files/',
    'https://cdn.example/files/',
  ]);
  expect(read('https://cdn.example')).toEqual(['https://cdn.example/']);
});

test.each([[[]], [['files/']]])('%j names no folder', (bases) =>
  expect(() => read(...bases)).toThrow('the address of the files is missing'),
);
