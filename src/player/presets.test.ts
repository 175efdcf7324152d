import { describe, expect, it } from 'vitest';
import { faultsOf } from '../shared/registry.ts';
import { presets, settingsDiff, settingsOf } from './presets.ts';

describe('settings', () => {
  it('makes a tree of dotted paths', () => {
    const changes = [
      { path: 'a.b.c', value: 1, reason: '' },
      { path: 'a.b.d', value: false, reason: '' },
      { path: 'e', value: 'x', reason: '' },
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
  it('have no fault, and a reason and a path once for each change', () => {
    expect(faultsOf(presets)).toEqual([]);
    expect(presets.map(({ id }) => id)).toEqual(['as-shipped', 'experiment']);
    for (const { changes } of presets) {
      expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length);
      for (const { reason } of changes) expect(reason).toMatch(/^[A-Z].*\.$/);
    }
  });

  it('change nothing as shipped', () => {
    expect(settingsOf(presets[0]!)).toEqual({});
  });
});
