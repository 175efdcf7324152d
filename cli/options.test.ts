import { describe, expect, it } from 'vitest';
import { listOf, streamUrl, wholeNumber } from './options.ts';

describe('listOf', () => {
  const parse = listOf('rule', [{ id: 'bola' }, { id: 'dynamic' }]);
  it('takes known ids once each', () => expect(parse('bola, dynamic,bola')).toEqual(['bola', 'dynamic']));
  it('names what is unknown and what is known', () =>
    expect(() => parse('magic')).toThrow('Unknown rule "magic"; known: bola, dynamic.'));
  it('asks for at least one', () => expect(() => parse(' , ')).toThrow('Name at least one rule'));
});

describe('wholeNumber', () => {
  const parse = wholeNumber('--seconds', { min: 1 });
  it('takes a number', () => expect(parse('40')).toBe(40));
  it.each(['0', '1.5', 'soon', ''])('refuses "%s" in a sentence', (text) =>
    expect(() => parse(text)).toThrow('--seconds takes a whole number of 1 or more.'),
  );
});

describe('streamUrl', () => {
  const parse = streamUrl('--mpd');
  it('takes http and https', () => expect(parse('https://a.example/x.mpd')).toBe('https://a.example/x.mpd'));
  it.each(['nonsense', 'file:///x.mpd', ''])('refuses "%s" in a sentence', (text) =>
    expect(() => parse(text)).toThrow('--mpd takes an http or https address'),
  );
});
