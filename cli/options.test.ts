import { describe, expect, it, test } from 'vitest';
import {
  listOf,
  pathwayList,
  playedRules,
  policyList,
  shardOf,
  splitList,
  serverUrl,
  streamUrl,
  wholeNumber,
} from './options.ts';

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

describe('serverUrl', () => {
  const parse = serverUrl('--url');
  it('takes an address, with a path or without, and leaves its last slash away', () => {
    expect(parse('https://trial.example')).toBe('https://trial.example');
    expect(parse('https://trial.example/of/')).toBe('https://trial.example/of');
  });
  it.each(['trial.example', 'ftp://trial.example', 'https://trial.example/?a=1', 'https://trial.example/#a'])(
    'refuses %s',
    (text) => expect(() => parse(text)).toThrow('--url takes an'),
  );
});

describe('the rules of a comparison', () => {
  it('are ids of the page, ours with parameters where wanted, each once', () => {
    expect(playedRules('dashjs-bola, fixed:level=4,dashjs-bola')).toEqual(['dashjs-bola', 'fixed:level=4']);
  });

  it('may name files of weights, which are not opened yet', () => {
    const rules = ['pensieve:weights=a:b.json', 'neural', 'neural:qoe=log:weights=mine.json'];
    expect(playedRules(rules.join())).toEqual(rules);
  });

  it.each([
    ['', 'Name at least one rule: dashjs-dynamic, '],
    ['magic', 'Unknown rule "magic"; known: dashjs-dynamic, '],
    ['fixed:rungs=1', 'The rule fixed has no parameter "rungs"'],
    ['pensieve', 'The rule pensieve needs weights: write pensieve:weights=FILE.'],
    ['bola:weights=mine.json', 'The rule bola takes no weights.'],
    ['dashjs-bola:weights=mine.json', 'The rule dashjs-bola takes no weights.'],
    ['neural:guards=off:weights=mine.json', 'The rule neural has no parameter "guards"'],
  ])('"%s" is refused', (text, sentence) => expect(() => playedRules(text)).toThrow(sentence));
});

describe('the ranges of a segment', () => {
  it('are numbers with commas between, each once', () => expect(splitList('1, 6,12,6')).toEqual([1, 6, 12]));

  it.each(['', '0', '13', '1,x', '1.5', '-1', '1,,6'])('"%s" is refused', (text) =>
    expect(() => splitList(text)).toThrow(
      '--split takes whole numbers from 1 to 12 with commas between, as in 1,6.',
    ),
  );
});

describe('pathways of a comparison', () => {
  it('are read one after the other', () => {
    const first = pathwayList('tcp=https://tcp.example');
    expect(pathwayList('tcp-2=https://b.example/show', first)).toEqual([
      { id: 'tcp', base: 'https://tcp.example', carries: 'tcp' },
      { id: 'tcp-2', base: 'https://b.example/show', carries: 'tcp' },
    ]);
  });

  it('have different ids, and addresses', () => {
    const first = pathwayList('tcp=https://tcp.example');
    expect(() => pathwayList('tcp=https://b.example', first)).toThrow('There are two pathways “tcp”.');
    expect(() => pathwayList('tcp')).toThrow('is not of the form tcp=https://tcp.cdn.example.');
  });

  it('are chosen by policies that exist', () => {
    expect(policyList('browser, fixed:pathway=tcp,browser')).toEqual(['browser', 'fixed:pathway=tcp']);
    expect(() => policyList('best')).toThrow('Unknown policy "best"; known: browser, ');
    expect(() => policyList(' ,')).toThrow('Name at least one policy: browser, ');
  });
});

test.each(['1/1', '3/4', '4/4'])('%s is a shard', (text) => expect(shardOf(text)).toBe(text));
test('a shard has one name: two of them would play the same sessions', () =>
  expect(shardOf('01/04')).toBe('1/4'));

test.each(['0/4', '5/4', '1', '1/', 'a/b', '-1/2', ''])('"%s" is none', (text) =>
  expect(() => shardOf(text)).toThrow('--shard takes a part and the number of parts, as in 1/4.'),
);
