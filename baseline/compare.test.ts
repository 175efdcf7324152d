import { describe, expect, test } from 'vitest';
import { differences, type Renames } from './compare.ts';

const NONE: Renames = { names: {}, values: {}, sentences: {}, added: [] };
const LIST: Renames = {
  names: { twin: 'label' },
  values: { speaking: 'instrumented', twins: 'labels' },
  sentences: { 'Rung {1} of {2} (at {3} s).': 'At {3} s level {1} of {2}.' },
  added: ['audioMs'],
};

const LIST_ADDED: Renames = { ...NONE, added: ['audioMs'] };

const found = (file: string, was: string, is: string, renames = NONE): string[] =>
  differences({ [file]: was }, { [file]: is }, renames).map(
    (each) => `${each.file} ${each.place}: ${each.was} → ${each.is}`,
  );

const LOG = { twin: 'a', arm: 'bola/h2/speaking', rates: [1.5, 2], note: 'Rung 2 of 5 at 1.5 s.' };
const log = (changes: object = {}): string => JSON.stringify({ ...LOG, ...changes });

describe('JSON', () => {
  test.each<[string, object, string]>([
    ['a changed digit', { rates: [1.5, 2.0000000000000004] }, '/rates/1: 2 → 2.0000000000000004'],
    ['a lost entry', { rates: [1.5] }, '/rates: 2 entries → 1 entries'],
    ['a swapped order', { rates: [2, 1.5] }, '/rates/0: 1.5 → 2'],
    ['a number in prose', { note: 'Rung 2 of 5 at 1.6 s.' }, '/note: "Rung 2 of 5 at 1.5 s." → '],
    ['a word that is no prose', { twin: 'b' }, '/twin: "a" → "b"'],
    ['a part of a name', { arm: 'bola/h3/speaking' }, '/arm: "bola/h2/speaking" → "bola/h3/speaking"'],
    ['a lost field', { rates: undefined }, '/rates: [1.5,2] → no such field'],
    ['a new field', { more: 1 }, '/more: no such field → 1'],
    ['null for a number', { rates: [null, 2] }, '/rates/0: 1.5 → null'],
    ['a number as text', { rates: ['1.5', 2] }, '/rates/0: 1.5 → "1.5"'],
  ])('%s', (_, changes, told) => expect(found('a.json', log(), log(changes))[0]).toContain(`a.json ${told}`));

  test('other words in prose, other white space and another order of fields are no difference', () => {
    const { twin, arm, rates } = LOG;
    const is = JSON.stringify({ note: 'With 2 of 5 levels after 1.5 s', rates, arm, twin }, null, 1);
    expect(found('a.json', log(), is)).toEqual([]);
  });

  test('a field that is new has to be in the list, and a listed one that was there is compared', () => {
    const is = log({ audioMs: 5 });
    expect(found('a.json', log(), is)).toEqual(['a.json /audioMs: no such field → 5']);
    expect(found('a.json', log(), is, LIST_ADDED)).toEqual([]);
    expect(found('a.json', is, log({ audioMs: 6 }), LIST_ADDED)).toEqual(['a.json /audioMs: 5 → 6']);
    expect(found('a.json', is, log(), LIST_ADDED)).toEqual(['a.json /audioMs: 5 → no such field']);
  });

  test('a renamed field, value or file has to be in the list', () => {
    const { twin, ...others } = LOG;
    const is = JSON.stringify({ label: twin, ...others, arm: 'bola/h2/instrumented' });
    expect(found('a.json', log(), is, LIST)).toEqual([]);
    expect(found('a.json', log(), is)).toEqual([
      'a.json /twin: "a" → no such field',
      'a.json /arm: "bola/h2/speaking" → "bola/h2/instrumented"',
      'a.json /label: no such field → "a"',
    ]);
    const files = [{ 'out/twins.csv': 'a' }, { 'out/labels.csv': 'a' }] as const;
    expect(differences(...files, LIST)).toEqual([]);
    expect(differences(...files, NONE)).toHaveLength(2);
  });

  test('a sentence whose numbers moved has to be in the list', () => {
    const of = (note: string): string => JSON.stringify({ a: [note] });
    const was = of('So: Rung 2 of 5 (at 1.5 s).');
    expect(found('a.json', was, of('At 1.5 s level 2 of 5, that is.'), LIST)).toEqual([]);
    expect(found('a.md', was, of('At 1.5 s level 2 of 5, that is.'), LIST)).toEqual([]);
    expect(found('a.json', was, of('At 1.5 s level 2 of 5, that is.'))).toHaveLength(1);
    expect(found('a.json', was, of('At 1.5 s level 3 of 5, that is.'), LIST)).toHaveLength(1);
    expect(found('a.json', was, of('At 1.5 s level 5 of 2, that is.'), LIST)).toHaveLength(1);
  });

  test('reports a file that is no longer JSON', () =>
    expect(found('a.json', log(), 'pitwall: no')).toEqual(['a.json : JSON → "pitwall: no"']));

  test('a line each', () =>
    expect(found('a.sqlog', '\x1e{"a":1}\n\x1e{"a":2}\n', '\x1e{"a":1}\n\x1e{"a":3}\n')).toEqual([
      'a.sqlog line 2 /a: 2 → 3',
    ]));
});

describe('CSV', () => {
  const CSV = 'file,twin,value,why\na,speaking,1.25,\n"b, c",caddy,2,"No 1 ""of"" 3, all"\n';
  test.each<[string, string, string, string[]]>([
    ['a changed digit', '1.25', '1.26', ['row 2, value: "1.25" → "1.26"']],
    ['a lost row', 'a,speaking,1.25,\n', '', ['rows: 3 entries → 2 entries']],
    ['a renamed column', 'twin', 'label', ['row 1, twin: "twin" → "label"']],
    ['a renamed value', 'speaking', 'instrumented', ['row 2, twin: "speaking" → "instrumented"']],
    ['an emptied cell', '2,"No', ',"No', ['row 3, value: "2" → ""']],
    ['another sentence', 'all', 'each', []],
  ])('%s', (_, from, to, told) => {
    const seen = found('a.csv', CSV, CSV.replace(from, to));
    for (const [index, each] of told.entries()) expect(seen[index]).toContain(each);
    expect(seen.length > 0).toBe(told.length > 0);
  });
  test('a column that is new has to be in the list', () => {
    const [was, is] = ['id,level\na,1\nb,2\n', 'id,audioMs,level\na,7,1\nb,,3\n'];
    expect(found('a.csv', was, was.replaceAll(',', ',x,'), LIST_ADDED)).not.toEqual([]);
    expect(found('a.csv', was, is, LIST_ADDED)).toEqual(['a.csv row 3, level: "2" → "3"']);
  });
  test('is renamed by the list', () =>
    expect(
      found('a.csv', CSV, CSV.replace('twin', 'label').replace('speaking', 'instrumented'), LIST),
    ).toEqual([]));
  test('is known by its look where it was printed', () =>
    expect(found('stdout', CSV, CSV.replace('caddy', 'other'))).toEqual([
      'stdout row 3, twin: "caddy" → "other"',
    ]));
});

describe('text', () => {
  const TEXT = 'bola  h2  300 kbit/s (95 % 0 to 967), of −3.5; id sim-1f1f12e0.\n2 of 4\n';
  test.each([
    ['a changed digit', '967', '968'],
    ['a lost row', '2 of 4\n', ''],
    ['a swapped order', '2 of 4', '4 of 2'],
    ['a sign', '−3.5', '3.5'],
    ['a hash', '1f1f12e0', '1f1f12e1'],
    ['a lost digit after the point', '−3.5', '−3'],
    ['one more', '2 of 4', '2 of 4 5'],
  ])('%s', (_, from, to) => expect(found('a.txt', TEXT, TEXT.replace(from, to))).toHaveLength(1));
  test('a minus may be written with either sign', () =>
    expect(found('a.txt', TEXT, TEXT.replace('−', '-'))).toEqual([]));
  test('may change its words', () =>
    expect(found('a.txt', TEXT, TEXT.replace(' of ', ' out of ').replace('bola', 'BOLA'))).toEqual([]));
  test('of HTML: looks are none of it, places in pictures are', () => {
    const html = '<style>a { margin: 1px }</style><p class="x2">5</p><path d="M1,2"/>';
    expect(found('a.html', html, html.replace('1px', '2px').replace('x2', 'x3'))).toEqual([]);
    expect(found('a.html', html, html.replace('M1,2', 'M1,3'))).toHaveLength(1);
    const link = '<a href="data:text/csv,a%0Ano%20more%205">';
    expect(found('a.html', link, link.replace('no%20more', 'none'))).toEqual([]);
    expect(found('a.html', link, link.replace('5', '6'))).toHaveLength(1);
  });
});

test('a file that is not there any more, and one that is new', () =>
  expect(differences({ a: '1' }, { b: '1' }, NONE).map(({ file, is }) => `${file}: ${is}`)).toEqual([
    'a: no file',
    'b: a file',
  ]));
