import { expect, test } from 'vitest';
import { fillSessionPage, logInSessionPage } from './sessionPage.ts';

const PAGE = '<!doctype html><script type="application/gzip" id="log"></script><script>1</script>';

test('a log that was put into the page is found there', () => {
  const page = fillSessionPage(PAGE, 'H4sIAAAA/+8=');
  expect(logInSessionPage(page)).toEqual({ ok: true, value: 'H4sIAAAA/+8=' });
});

test('only base64 goes in, and only into a page with a place for it', () => {
  for (const text of ['', '</script>', 'a<b', 'ab"c', 'abc\n'])
    expect(() => fillSessionPage(PAGE, text), text).toThrow('The log is not base64.');
  expect(() => fillSessionPage('<!doctype html>', 'aaaa')).toThrow('no place for a log');
  const filled = fillSessionPage(PAGE, 'aaaa');
  expect(() => fillSessionPage(filled, 'bbbb')).toThrow('no place for a log');
});

test('a text that is no page is left to other readers; a page without a session is named', () => {
  expect(logInSessionPage('{"schema":1}')).toBeNull();
  expect(logInSessionPage('<!doctype html><p>')).toMatchObject({ ok: false });
});
