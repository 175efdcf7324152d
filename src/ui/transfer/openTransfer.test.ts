import { expect, test, vi } from 'vitest';
import { basesIn, openTransfer } from './openTransfer.ts';
import type { Automation } from '../automation.ts';

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

test('a link downloads nothing, whatever it names: only a script does', async () => {
  const element = { setAttribute: () => undefined, append: () => undefined };
  const body = { replaceChildren: () => undefined, removeAttribute: () => undefined };
  const page = { createElement: () => element, body };
  vi.stubGlobal('document', Object.assign(new EventTarget(), page));
  vi.stubGlobal('addEventListener', () => undefined);
  vi.stubGlobal('location', { origin: 'https://app.example' });
  vi.stubGlobal('navigator', { userAgent: 'Chrome/98' });
  vi.stubGlobal('fetch', vi.fn());
  const search = '?transfer=streams:mb=1000:count=1000&base=https://victim.example/';
  Reflect.apply(openTransfer, null, [search]);
  await new Promise((passed) => setTimeout(passed, 20));
  const { pitwall } = globalThis as unknown as { pitwall: Automation };
  expect(pitwall.state()).toMatchObject({ phase: 'idle', sessionId: null });
  expect(fetch).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});
