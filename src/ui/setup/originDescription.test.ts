import { expect, test } from 'vitest';
import { describedBy } from './originDescription.ts';

const PAGE = 'https://pitwall.example/app/';

test('a whole description is read, addresses made absolute', () => {
  const value = { demoUrl: 'media/demo/manifest.mpd', origins: [{ url: '/', offers: ['h2', 'h3'] }] };
  expect(describedBy(value, PAGE)).toEqual({
    demoUrl: 'https://pitwall.example/app/media/demo/manifest.mpd',
    plainDemoUrl: null,
    origins: [{ url: 'https://pitwall.example', offers: ['h2', 'h3'] }],
  });
});

test.each([
  [null],
  ['text'],
  [{}],
  [{ demoUrl: 5, plainDemoUrl: 'file:///x', origins: 'x' }],
  [{ demoUrl: 'javascript:alert(1)', origins: [null, {}, { url: 'https://a.example', offers: 'h2' }] }],
])('%j says nothing usable', (value) =>
  expect(describedBy(value, PAGE)).toEqual({ demoUrl: null, plainDemoUrl: null, origins: [] }),
);
