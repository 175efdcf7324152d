import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);
const listFiles = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));
const files = listFiles('*.ts', '*.mjs').filter((file) => !file.endsWith('.test.ts'));

/** The modules that a source imports or re-exports, types included; what it loads later with `import()` is none. */
function importsOf(file: string, source: string): string[] {
  const froms = source.matchAll(/^(?:import|export)\b[^'";]*?from '(\.[^']+)';/gm);
  return Array.from(froms, ([, from]) => path.posix.join(path.posix.dirname(file), from!));
}

/** The first circle that is found, from a module back to itself; null where there is none. */
function circleIn(graph: ReadonlyMap<string, readonly string[]>): readonly string[] | null {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (file: string): readonly string[] | null => {
    if (done.has(file)) return null;
    const at = way.indexOf(file);
    if (at !== -1) return [...way.slice(at), file];
    way.push(file);
    for (const each of graph.get(file) ?? []) {
      const circle = visit(each);
      if (circle) return circle;
    }
    way.pop();
    done.add(file);
    return null;
  };
  for (const file of graph.keys()) {
    const circle = visit(file);
    if (circle) return circle;
  }
  return null;
}

test('no module imports itself through others, types included', () => {
  const graph = new Map(
    files.map((file) => [file, importsOf(file, readFileSync(path.join(root, file), 'utf8'))]),
  );
  expect(graph.size).toBeGreaterThan(500);
  expect(graph.get('src/main.ts')).not.toEqual([]);
  expect(circleIn(graph)).toBeNull();
});

test('a circle is found, also one of types', () => {
  const sources = {
    'a/one.ts': `import type { Two } from './two.ts';\n`,
    'a/two.ts': `import {\n  type A,\n  b,\n} from '../b/three.ts';\n`,
    'b/three.ts': `export { c } from '../a/one.ts';\n`,
    'b/four.ts': `const later = () => import('./four.ts');\n`,
  };
  const graph = new Map(Object.entries(sources).map(([file, source]) => [file, importsOf(file, source)]));
  expect(circleIn(graph)).toEqual(['a/one.ts', 'a/two.ts', 'b/three.ts', 'a/one.ts']);
  graph.set('a/two.ts', []);
  expect(circleIn(graph)).toBeNull();
});

/** The Rust files below `crate` (`src/`) that a file uses; a name that a `mod.rs` passes on is of the file that has it. */
function rustUses(crate: string, sources: ReadonlyMap<string, string>): Map<string, string[]> {
  const fileOf = (modules: readonly string[]): string | null =>
    [`${crate}${modules.join('/')}.rs`, `${crate}${[...modules, 'mod'].join('/')}.rs`].find((file) =>
      sources.has(file),
    ) ?? null;
  const modulesOf = (file: string): string[] =>
    file
      .slice(crate.length, -'.rs'.length)
      .split('/')
      .filter((name) => name !== 'mod' && name !== 'main');
  /** Follows a path from module to module, and through `pub use`. */
  const definedIn = (modules: readonly string[], names: readonly string[]): string | null => {
    const [name, ...rest] = names;
    const inner = name === undefined ? null : fileOf([...modules, name]);
    if (inner) return definedIn([...modules, name!], rest);
    const own = fileOf(modules);
    const passedOn = [...(sources.get(own ?? '') ?? '').matchAll(/pub use (\w+)::\{?([^;}]*)\}?;/g)].find(
      ([, , all]) => name !== undefined && all!.split(/[\s,]+/).includes(name),
    );
    return passedOn ? definedIn([...modules, passedOn[1]!], names) : own;
  };
  const usesOf = (file: string, source: string): string[] => {
    const own = modulesOf(file);
    const code = source.replace(/#\[cfg\(test\)\]\nmod tests \{[\s\S]*$/, '');
    const uses = Array.from(code.matchAll(/\b(crate|super)::([\w:]*)(?:::)?(\{[^}]*\})?/g));
    return uses.flatMap(([, from, way, several]) => {
      const base = from === 'crate' ? [] : own.slice(0, -1);
      const names = way!.split('::').filter((name) => name !== '');
      const lasts = several ? several.slice(1, -1).match(/\w+/g)! : [null];
      return lasts.flatMap((last) => definedIn(base, last === null ? names : [...names, last]) ?? []);
    });
  };
  return new Map(
    Array.from(sources, ([file, source]) => [file, usesOf(file, source).filter((each) => each !== file)]),
  );
}

test.each(['lab/origin/src/', 'lab/origin/src/bin/pitwall-load/'])(
  'no module of Rust in %s uses itself',
  (crate) => {
    const own = listFiles(`${crate}*.rs`).filter(
      (file) => crate.includes('/bin/') || !file.includes('/bin/'),
    );
    const sources = new Map(own.map((file) => [file, readFileSync(path.join(root, file), 'utf8')]));
    const graph = rustUses(crate, sources);
    expect([...graph.values()].flat().length).toBeGreaterThan(10);
    expect(circleIn(graph)).toBeNull();
  },
);

test('a circle of Rust is found, also through a name that is passed on', () => {
  const sources = new Map([
    ['src/main.rs', 'mod net;\nmod tls;\n'],
    ['src/net/mod.rs', 'mod bind;\npub use bind::{Port, Socket};\n'],
    ['src/net/bind.rs', 'use crate::tls::Keys;\n'],
    ['src/tls.rs', 'use crate::net::Socket;\n'],
  ]);
  expect(circleIn(rustUses('src/', sources))).toEqual(['src/net/bind.rs', 'src/tls.rs', 'src/net/bind.rs']);
});
