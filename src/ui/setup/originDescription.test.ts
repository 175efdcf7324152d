import { expect, test } from 'vitest';
import { describedBy, NOTHING, whyPlain } from './originDescription.ts';

const PAGE = 'https://pitwall.example/app/';

test('a whole description is read, addresses made absolute', () => {
  const value = { demoUrl: 'media/demo/manifest.mpd', origins: [{ url: '/', offers: ['h2', 'h3'] }] };
  expect(describedBy(value, PAGE)).toEqual({
    demoUrl: 'https://pitwall.example/app/media/demo/manifest.mpd',
    plainDemoUrl: null,
    origins: [{ url: 'https://pitwall.example', offers: ['h2', 'h3'] }],
    paces: [],
    races: false,
  });
  expect(describedBy({ races: true }, PAGE).races).toBe(true);
});

test('a paced stream has an address for this page alone, or is left out', () => {
  const pace = { label: 'Slow', about: '0.7 Mbit/s' };
  const value = {
    paces: [
      {
        ...pace,
        demoUrl: 'https://o.example/paced/slow/{viewer}/a.mpd',
        plainDemoUrl: 'paced/slow/{viewer}/a.mpd',
      },
      { ...pace, demoUrl: 'javascript:alert(1)' },
      { label: 5, about: 'x' },
      null,
    ],
  };
  expect(describedBy(value, PAGE, 'k3').paces).toEqual([
    {
      ...pace,
      demoUrl: 'https://o.example/paced/slow/k3/a.mpd',
      plainDemoUrl: 'https://pitwall.example/app/paced/slow/k3/a.mpd',
    },
    { ...pace, demoUrl: null, plainDemoUrl: null },
  ]);
  const viewers = [1, 2].map(() => describedBy(value, PAGE).paces[0]!.demoUrl);
  expect(viewers[0]).toMatch(/slow\/\w{1,32}\/a\.mpd$/);
  expect(viewers[0]).not.toBe(viewers[1]);
});

test.each([
  [null],
  ['text'],
  [{}],
  [{ demoUrl: 5, plainDemoUrl: 'file:///x', origins: 'x' }],
  [{ demoUrl: 'javascript:alert(1)', origins: [null, {}, { url: 'https://a.example', offers: 'h2' }] }],
])('%j says nothing usable', (value) => expect(describedBy(value, PAGE)).toMatchObject(NOTHING));

test('a browser that does not reach the origin plays the plain copy, and hears why', () => {
  const demoUrl = 'https://localhost:8443/demo.mpd';
  const both = { ...NOTHING, demoUrl, plainDemoUrl: 'http://localhost:8080/demo.mpd', isPlain: true };
  const sentence =
    'http/1.1 only: this browser does not trust or reach localhost:8443. For h2 and h3, see what npm start prints.';
  expect(whyPlain(both, 'http://localhost:8080/paced/slow/k3/a.mpd')).toBe(sentence);
  expect(whyPlain(both, demoUrl)).toBeNull();
  expect(whyPlain(both, '')).toBeNull();
  expect(whyPlain({ ...both, isPlain: false }, both.plainDemoUrl)).toBeNull();
  expect(whyPlain({ ...both, demoUrl: null }, both.plainDemoUrl)).toBeNull();
  expect(whyPlain(NOTHING, '')).toBeNull();
});
