/** Anything that is picked by name: rules, metrics, charts, profiles, presets. */
export interface Entry {
  /** Kebab-case and stable: it appears in files and URLs. */
  readonly id: string;
  readonly label: string;
}

/** Finds an entry by id; throws with the known ids, because an unknown id is a bug or a typing error. */
export function pick<E extends Entry>(entries: readonly E[], id: string): E {
  const entry = entries.find((each) => each.id === id);
  if (!entry) throw new Error(`unknown id "${id}"; known: ${entries.map((each) => each.id).join(', ')}`);
  return entry;
}

/** What every registry must satisfy; returns one sentence per fault. Used by the contract tests. */
export function faultsOf(entries: readonly Entry[]): string[] {
  const seen = new Set<string>();
  return entries.flatMap(({ id, label }) => {
    const faults: string[] = [];
    if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id)) faults.push(`id "${id}" is not kebab-case`);
    if (seen.has(id)) faults.push(`id "${id}" is there twice`);
    if (label.trim() === '') faults.push(`entry "${id}" has no label`);
    seen.add(id);
    return faults;
  });
}

/**
 * Three letters that stand for an entry where there is no room for its label: the initials of its id's words, filled
 * up from the last word, else from the first (`mpc` → MPC, `bba-0` → BB0).
 */
export function codeOf(id: string): string {
  const words = id.split('-');
  const initials = words.map((word) => word.charAt(0)).join('');
  const [first = '', last = ''] = [words[0], words.at(-1)];
  const code = `${initials}${last.slice(1)}`;
  return (code.length >= 3 ? code : `${first.slice(0, 3 - last.length)}${last}`).slice(0, 3).toUpperCase();
}
