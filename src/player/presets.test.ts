import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { faultsOf } from '../shared/registry.ts';
import {
  experimentParameters,
  faultOfPreset,
  presetOf,
  presets,
  settingsDiff,
  settingsOf,
} from './presets.ts';
import { valueOf } from '../shared/result.ts';

describe('settings', () => {
  it('makes a tree of dotted paths', () => {
    const changes = [
      { path: 'a.b.c', value: 1 },
      { path: 'a.b.d', value: false },
      { path: 'e', value: 'x' },
    ];
    expect(settingsOf({ changes })).toEqual({ a: { b: { c: 1, d: false } }, e: 'x' });
  });

  it.each([
    { name: 'nothing', before: { a: { b: NaN } }, after: { a: { b: NaN } }, diff: {} },
    { name: 'a leaf', before: { a: { b: 1 } }, after: { a: { b: 2 } }, diff: { 'a.b': 2 } },
    { name: 'no limit', before: { a: 12 }, after: { a: Infinity }, diff: { a: 'Infinity' } },
    { name: 'unset', before: { a: 1 }, after: { a: null }, diff: { a: null } },
    { name: 'a list', before: { a: ['x'] }, after: { a: ['x', 'y'] }, diff: { a: '["x","y"]' } },
    { name: 'an equal list', before: { a: ['x'] }, after: { a: ['x'] }, diff: {} },
    { name: 'a new branch', before: {}, after: { a: { b: true } }, diff: { 'a.b': true } },
  ])('tells what differs: $name', ({ before, after, diff }) => {
    expect(settingsDiff(before, after)).toEqual(diff);
  });

  it('keeps logged text within the schema’s 400 characters', () => {
    expect(String(settingsDiff({}, { a: 'x'.repeat(1000) })['a'])).toHaveLength(400);
  });
});

describe('the presets', () => {
  it('have no fault, and a path once for each change', () => {
    expect(faultsOf(presets)).toEqual([]);
    expect(presets.map(({ id }) => id)).toEqual(['as-shipped', 'experiment']);
    for (const { changes } of presets) {
      expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length);
    }
  });

  it('have the reason of each change before it', () => {
    const lines = readFileSync(path.join(import.meta.dirname, 'presets.ts'), 'utf8').split('\n');
    const changed = lines.flatMap((line, index) => (/^ +path: ['`]/.test(line) ? [index] : []));
    expect(changed.length).toBeGreaterThan(10);
    for (const index of changed) expect(lines[index - 1]).toMatch(/^ +\/\/ \S.*\.$/);
  });

  it('change nothing as shipped', () => {
    expect(settingsOf(presets[0]!)).toEqual({});
  });

  it('take parameters, and have a text that asks for the same again', () => {
    const preset = valueOf(presetOf('experiment:timeoutSeconds=5:bufferSeconds=8'));
    expect(preset.id).toBe('experiment:bufferSeconds=8:timeoutSeconds=5');
    expect(valueOf(presetOf(preset.id)).changes).toEqual(preset.changes);
    expect(settingsOf(preset)).toMatchObject({
      streaming: {
        buffer: {
          bufferTimeDefault: 8,
          bufferTimeAtTopQuality: 8,
          bufferTimeAtTopQualityLongForm: 8,
        },
        fragmentRequestTimeout: 5000,
        manifestRequestTimeout: 5000,
      },
    });
    const paths = preset.changes.map(({ path }) => path);
    expect(paths).toEqual(presets[1]!.changes.map(({ path }) => path));
  });

  it('keep their name where a text sets what is usual', () => {
    expect(valueOf(presetOf('experiment:bufferSeconds=20')).id).toBe('experiment');
  });

  it.each([
    ['fast', 'Unknown preset "fast"; known: as-shipped, experiment.'],
    ['as-shipped:bufferSeconds=8', 'The preset as-shipped has no parameters to set.'],
    [
      'experiment:buffer=8',
      'The preset experiment has no parameter "buffer"; it has bufferSeconds, timeoutSeconds.',
    ],
    [
      'experiment:bufferSeconds=90',
      'The parameter bufferSeconds of experiment must be from 1 to 60, not 90.',
    ],
    [
      'experiment:timeoutSeconds=0',
      'The parameter timeoutSeconds of experiment must be from 1 to 600, not 0.',
    ],
    [
      'experiment:bufferSeconds=8:bufferSeconds=9',
      '"experiment:bufferSeconds=8:bufferSeconds=9" sets bufferSeconds twice.',
    ],
  ])('%s is refused', (text, sentence) => expect(faultOfPreset(text)).toBe(sentence));

  it.each([
    ['experiment', { bufferSeconds: 20, timeoutSeconds: 120 }],
    ['experiment:bufferSeconds=8', { bufferSeconds: 8, timeoutSeconds: 120 }],
    ['as-shipped', null],
  ])('%s sets of experiment %o', (text, parameters) =>
    expect(experimentParameters(text)).toEqual(parameters),
  );
});
