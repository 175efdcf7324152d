import { expect, test } from 'vitest';
import { mpdAddress } from './mpdAddress.ts';

const PAGE = 'https://pitwall.example/app/';

test.each([
  ['https://cdn.example/m.mpd', 'https://cdn.example/m.mpd'],
  ['  http://cdn.example/m.mpd ', 'http://cdn.example/m.mpd'],
  ['cdn.example/live/m.mpd', 'https://cdn.example/live/m.mpd'],
  ['cdn.example:8443/m.mpd', 'https://cdn.example:8443/m.mpd'],
  ['media/demo/manifest.mpd', 'https://pitwall.example/app/media/demo/manifest.mpd'],
  ['/demo/manifest.mpd', 'https://pitwall.example/demo/manifest.mpd'],
])('%s is %s', (typed, address) => expect(mpdAddress(typed, PAGE)).toEqual({ ok: true, value: address }));

test.each([
  ['', /Enter the address/],
  ['javascript:alert(1)', /begins with “javascript:”/],
  ['file:///etc/passwd', /begins with “file:”/],
  ['https://', /is not an address/],
  ['https://me:secret@cdn.example/m.mpd', /user name or password/],
])('"%s" is refused', (typed, why) => {
  const result = mpdAddress(typed, PAGE);
  expect(result.ok ? '' : result.error).toMatch(why);
});
