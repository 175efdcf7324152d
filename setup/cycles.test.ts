import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.dirname(import.meta.dirname);
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.mjs'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 1e8,
})
  .split('\n')
  .filter((file) => file !== '' && !file.endsWith('.test.ts') && existsSync(path.join(root, file)));

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
