import { describe, expect, it } from 'vitest';
import { placedJson, type PlacedJson } from './placedJson.ts';
import { readingOf } from './textFault.ts';

const plain = (json: PlacedJson): unknown => {
  if (json.kind === 'list') return json.items.map(plain);
  if (json.kind === 'object')
    return Object.fromEntries([...json.fields].map(([name, field]) => [name, plain(field)]));
  return json.value;
};

const errorOf = (text: string): string => {
  const read = readingOf('x', () => placedJson(text));
  return read.ok ? 'no error' : read.error;
};

describe('placedJson', () => {
  it.each(['[]', '{}', '[1, -2.5e3, "a\\"]\\u00e9", true, false, null, {"a": [{}, []]}]', ' 7\n', '"x"'])(
    'reads %s as JSON.parse does',
    (text) => expect(plain(placedJson(text))).toEqual(JSON.parse(text)),
  );

  it('says where each value stands', () => {
    const list = placedJson('[\n  {"a": 1},\r\n  2]');
    if (list.kind !== 'list') throw new Error('no list');
    expect(list.items.map(({ place }) => place)).toEqual([
      { line: 2, column: 3 },
      { line: 3, column: 3 },
    ]);
  });

  it.each([
    ['', 'x, line 1, column 1: A value is expected, not the end of the file.'],
    ['[1,\n2', 'x, line 2, column 2: "," is expected, not the end of the file.'],
    ['[1,]', 'x, line 1, column 4: A value is expected, not "]".'],
    ['[,1]', 'x, line 1, column 2: A value is expected, not ",".'],
    ['{"a" 1}', 'x, line 1, column 6: ":" is expected, not "1".'],
    ['{7: 1}', 'x, line 1, column 2: A field has the name "7".'],
    ['[NaN]', 'x, line 1, column 2: A value is expected, not "NaN".'],
    ['[01]', 'x, line 1, column 2: A value is expected, not "01".'],
    ['[1] [', 'x, line 1, column 5: After the end of the JSON stands "[".'],
    ['["a]', 'x, line 1, column 2: A string has no end.'],
    ['['.repeat(100), 'x, line 1, column 34: It is nested too deep for a trace.'],
  ])('refuses %s', (text, sentence) => expect(errorOf(text)).toBe(sentence));
});
