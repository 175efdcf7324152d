import { expect, test } from 'vitest';
import { statusScreen } from './statusScreen.ts';

function written(isTTY: boolean) {
  let text = '';
  const screen = statusScreen({ isTTY, columns: 12, write: (more: string) => (text += more) });
  return { screen, text: () => text.replaceAll('\r\x1b[2K', '<') };
}

test('a terminal has one line that changes, below those that stay', () => {
  const { screen, text } = written(true);
  screen.status('1/9');
  screen.line('a: played');
  screen.status('2/9 and much more than fits');
  screen.end();
  expect(text()).toBe('<1/9<a: played\n<1/9<2/9 and muc<');
});

test('what others write is not written over', () => {
  const { screen, text } = written(true);
  screen.status('1/9');
  screen.pass('half ');
  screen.status('2/9');
  screen.pass('a line\n');
  screen.pass('open');
  screen.line('b: played');
  expect(text()).toBe('<1/9<half a line\n<2/9<open\nb: played\n<2/9');
});

test('a file has only lines', () => {
  const { screen, text } = written(false);
  screen.status('1/9');
  screen.line('a: played');
  screen.end();
  expect(text()).toBe('a: played\n');
});
