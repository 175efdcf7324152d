import { describe, expect, test } from 'vitest';
import { redactText, redactUrl } from './redactUrl.ts';

const urls: [what: string, url: string, kept: string][] = [
  ['plain', 'https://o.test/a/b.mpd', 'https://o.test/a/b.mpd'],
  ['a token', 'https://o.test/b.mpd?token=s3cret', 'https://o.test/b.mpd?token=*'],
  ['several values', 'https://o.test/?a=1&b=2&c=', 'https://o.test/?a=*&b=*&c='],
  ['CMCD', 'https://o.test/1.m4s?CMCD=bl%3D100%2Csid%3D%22x%22', 'https://o.test/1.m4s?CMCD=*'],
  ['"=" in a value', 'https://o.test/?sig=ab==&x=1', 'https://o.test/?sig=*&x=*'],
  ['a value with "?"', 'https://o.test/?u=/a?b=c', 'https://o.test/?u=*'],
  ['a bare name', 'https://o.test/?live', 'https://o.test/?live'],
  ['a bare token', 'https://o.test/?eyJhbGciOiJIUzI1NiJ9', 'https://o.test/?*'],
  ['user info', 'https://ann:pw@o.test/a', 'https://o.test/a'],
  ['user info with port', 'http://ann@o.test:8080/a?x=1', 'http://o.test:8080/a?x=*'],
  ['"@" in the path', 'https://o.test/@ann/a', 'https://o.test/@ann/a'],
  ['a fragment', 'https://o.test/#access_token=s3cret', 'https://o.test/#*'],
  ['query and fragment', 'https://o.test/?a=1#t=9', 'https://o.test/?a=*#*'],
  ['relative', '../seg.m4s?hdnea=exp~hmac', '../seg.m4s?hdnea=*'],
  ['scheme-relative with user info', '//ann:pw@o.test/a', '//o.test/a'],
  ['nothing', '', ''],
];

describe('a URL in the log', () => {
  test.each(urls)('%s', (_what, url, kept) => expect(redactUrl(url)).toBe(kept));

  test('keeps values when asked to, never user info', () => {
    expect(redactUrl('https://ann:pw@o.test/?a=1#t', true)).toBe('https://o.test/?a=1#t');
  });

  test('is the same when redacted twice', () => {
    for (const [, url] of urls) expect(redactUrl(redactUrl(url))).toBe(redactUrl(url));
  });
});

describe('URLs in a text', () => {
  test.each([
    ['https://o.test/a.m4s?k=s3cret is not available', 'https://o.test/a.m4s?k=* is not available'],
    ['GET "http://u:p@o.test/x?a=1": 404', 'GET "http://o.test/x?a=*": 404'],
    ['no such file /live/x.m4s?sig=s3cret', 'no such file /live/x.m4s?sig=*'],
    ['is 3 > 2? yes', 'is 3 > 2? yes'],
  ])('%s', (text, kept) => expect(redactText(text)).toBe(kept));
});
