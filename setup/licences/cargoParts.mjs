// The crates that `cargo metadata --format-version 1` names, each with what it is for. PURE.
import { byName, useOf } from './npmParts.mjs';

/** Rows { name, version, licence, use } without the root package. @throws Error for a crate without a licence */
export function cargoParts(metadata, { uses }) {
  const { root } = metadata.resolve;
  const needs = new Map(metadata.resolve.nodes.map(({ id, dependencies }) => [id, dependencies]));
  const byId = new Map(metadata.packages.map((each) => [each.id, each]));
  const broughtBy = whoBrings(needs, root, byId);
  const direct = uses ? needs.get(root).map((id) => byId.get(id).name) : [];
  return [...needs.keys()]
    .filter((id) => id !== root)
    .map((id) => {
      const { name, version, license } = byId.get(id);
      if (!license) throw new Error(`the crate ${name} ${version} states no licence`);
      return { name, version, licence: license, use: useOf(name, { by: broughtBy.get(id), direct, uses }) };
    })
    .sort(byName);
}

/** Names and versions of a Cargo.lock, without the package itself, which has no source. */
export function cargoLockParts(text) {
  return [...text.matchAll(/^\[\[package\]\]\nname = "([^"\n]+)"\nversion = "([^"\n]+)"\nsource = /gm)].map(
    ([, name, version]) => ({ name, version }),
  );
}

function whoBrings(needs, root, byId) {
  const broughtBy = new Map();
  for (const first of needs.get(root)) {
    const { name } = byId.get(first);
    const waiting = [first];
    while (waiting.length > 0) {
      const id = waiting.pop();
      const by = broughtBy.get(id) ?? new Set();
      if (by.has(name)) continue;
      broughtBy.set(id, by.add(name));
      waiting.push(...needs.get(id));
    }
  }
  return broughtBy;
}
