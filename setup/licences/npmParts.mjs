// The npm packages of a lock file (version 3), each with what it is for. PURE.

/** @typedef {{ readonly name: string, readonly version: string, readonly licence: string, readonly use: string }} Part */

/**
 * Returns rows { name, version, licence, use, isShipped } by name and version. `use` is of `uses` for direct dependencies, else
 * names the direct ones that bring it. A production dependency is shipped: it is in the built page.
 * @throws Error for a package without a licence, and for a direct dependency without a use
 */
export function npmParts({ packages }, { uses, unstated }) {
  const { dependencies = {}, devDependencies = {} } = packages[''];
  const direct = [...Object.keys(dependencies), ...Object.keys(devDependencies)].sort();
  const broughtBy = whoBrings(packages, direct);
  const rows = new Map();
  for (const [at, each] of Object.entries(packages).filter(([at]) => at !== '')) {
    const row = rowOf(nameAt(at), each, { by: broughtBy.get(at), unstated });
    const key = `${row.name}@${row.version}`;
    rows.set(key, rows.has(key) ? joined(rows.get(key), row) : row);
  }
  return [...rows.values()]
    .map(({ by, ...row }) => {
      // The use of a shipped package names only the production dependencies that need it.
      const needing = row.isShipped ? by.filter((name) => name in dependencies) : by;
      return { ...row, use: useOf(row.name, { by: needing, direct, uses }) };
    })
    .sort(byName);
}

function rowOf(name, { version, license, dev, devOptional }, { by = [], unstated }) {
  const key = `${name}@${version}`;
  const licence = license ?? unstated[key];
  if (!licence)
    throw new Error(`the npm package ${key} states no licence: look it up, and add it to NPM_UNSTATED`);
  return { name, version, licence, by: [...by], isShipped: !dev && !devOptional };
}

/** Joins the rows of two copies of one version. */
const joined = (a, b) => ({
  ...a,
  by: [...new Set([...a.by, ...b.by])],
  isShipped: a.isShipped || b.isShipped,
});

/** Says what a part is for: in our words for a direct dependency, else by the direct dependencies that bring it. */
export function useOf(name, { by, direct, uses }) {
  if (direct.includes(name)) {
    if (!uses[name]) throw new Error(`nothing says what ${name} is for: add it to setup/licences/parts.mjs`);
    return uses[name];
  }
  const names = [...by].sort();
  return names.length > 3
    ? `for ${names.slice(0, 3).join(', ')} and ${names.length - 3} more`
    : `for ${names.join(', ')}`;
}

export const byName = (a, b) =>
  compare(a.name.toLowerCase(), b.name.toLowerCase()) || compare(a.version, b.version);
const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

const nameAt = (at) => at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Maps each path in the lock file to the direct dependencies that reach it. */
function whoBrings(packages, direct) {
  const broughtBy = new Map();
  for (const name of direct) {
    const waiting = [`node_modules/${name}`];
    while (waiting.length > 0) {
      const at = waiting.pop();
      const by = broughtBy.get(at) ?? new Set();
      if (by.has(name)) continue;
      broughtBy.set(at, by.add(name));
      const { dependencies, optionalDependencies, peerDependencies } = packages[at];
      for (const needed of Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })) {
        const found = resolve(packages, at, needed);
        if (found) waiting.push(found);
      }
    }
  }
  return broughtBy;
}

/** Finds the path at which Node finds `name` from the package at `at`; null where an optional one is not installed. */
function resolve(packages, at, name) {
  for (let folder = at; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (folder === '') return null;
  }
}
