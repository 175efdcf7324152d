import type { Preset } from './presets.ts';

/** A value as the session log takes it (`environment.settings`). */
export type LoggedSetting = number | string | boolean | null;

export type SettingsTree = { [name: string]: unknown };

/** Longest text that `environment.settings` takes. */
const LONGEST_TEXT = 400;

/** A preset's dotted paths as the nested object that `player.updateSettings` takes. */
export function settingsOf({ changes }: Pick<Preset, 'changes'>): SettingsTree {
  const tree: SettingsTree = {};
  for (const { path, value } of changes) place(tree, path.split('.'), value);
  return tree;
}

/** What differs between two settings trees, as dotted paths with the value in `current`. */
export function settingsDiff(defaults: SettingsTree, current: SettingsTree): Record<string, LoggedSetting> {
  const before = flattened(defaults);
  return Object.fromEntries(
    [...flattened(current)].filter(([path, value]) => !Object.is(value, before.get(path))),
  );
}

function place(tree: SettingsTree, [name, ...rest]: string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) {
    tree[name] = value;
    return;
  }
  const branch = (tree[name] ?? {}) as SettingsTree;
  tree[name] = branch;
  place(branch, rest, value);
}

function flattened(tree: SettingsTree, prefix = ''): Map<string, LoggedSetting> {
  const leaves = new Map<string, LoggedSetting>();
  for (const [name, value] of Object.entries(tree)) {
    const path = `${prefix}${name}`;
    if (isTree(value)) for (const [key, leaf] of flattened(value, `${path}.`)) leaves.set(key, leaf);
    else leaves.set(path, logged(value));
  }
  return leaves;
}

const isTree = (value: unknown): value is SettingsTree =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof RegExp);

/** JSON has neither NaN nor Infinity (dash.js uses both for "not set" and "no limit"): they are logged as words. */
function logged(value: unknown): LoggedSetting {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
  return text.slice(0, LONGEST_TEXT);
}
