import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { afterAll, describe, expect, it } from 'vitest';
import { fences } from '../eslint.fences.js';

const root = path.dirname(import.meta.dirname);
const linter = new Linter({ cwd: root });

function complaints(file: string, code: string): string[] {
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser as Linter.Parser },
    plugins: { pitwall: { rules: { fences } } },
    rules: { 'pitwall/fences': 'error' as const },
  };
  return linter.verify(code, [config], { filename: path.join(root, file) }).map(({ message }) => message);
}

describe('each import fence fails on a deliberate violation', () => {
  it.each([
    ['src/shared/units.ts', `import '../abr/rule.ts'`, /shared may not import abr/],
    ['src/abr/rules/x.ts', `import '../../telemetry/event.ts'`, /abr may not import telemetry/],
    ['src/abr/rules/x.ts', `import 'dashjs'`, /abr may not import the package "dashjs"/],
    ['src/abr/rules/x.ts', `export * from '../../player/player.ts'`, /abr may not import player/],
    ['src/network/x.ts', `import '../abr/rule.ts'`, /network may not import abr/],
    ['src/telemetry/x.ts', `import './shell/telemetry.ts'`, /telemetry may not import shell/],
    ['src/telemetry/x.ts', `import '@sinclair/typebox'`, /may not import the package "@sinclair\/typebox"/],
    ['src/telemetry/schema/x.ts', `import '../event.ts'`, /schema may not import telemetry/],
    ['src/sim/x.ts', `import '../analysis/timeline/series.ts'`, /sim may not import analysis/],
    ['src/sim/x.ts', `import './trace.testing.ts'`, /sim may not import testing/],
    ['src/ui/x.ts', `import '../telemetry/exampleLog.testing.ts'`, /ui may not import testing/],
    ['src/analysis/x.ts', `import '../charts/chart.ts'`, /analysis may not import charts/],
    ['src/analysis/x.ts', `import 'node:fs'`, /analysis may not import the package "node:fs"/],
    ['src/export/x.ts', `import 'hyparquet-writer'`, /export may not import the package "hyparquet-writer"/],
    ['src/export/x.ts', `import '../../experiment/report/reportTable.ts'`, /export may not import report/],
    ['src/charts/x.ts', `import 'chart.js'`, /charts may not import the package "chart.js"/],
    ['src/charts/shell/x.ts', `import '../../player/player.ts'`, /shell may not import player/],
    ['src/player/x.ts', `import '../ui/page.ts'`, /player may not import ui/],
    ['src/player/x.ts', `import '../analysis/timeline/series.ts'`, /player may not import analysis/],
    ['src/ui/x.ts', `import '../../lab/tools.ts'`, /ui may not import/],
    ['src/ui/x.ts', `import 'dashjs'`, /ui may not import the package "dashjs"/],
    ['src/abr/x.ts', `void import('../player/player.ts')`, /abr may not import player/],
    ['packages/telemetry/x.ts', `import '../../src/ui/page.ts'`, /published may not import ui/],
    ['cli/x.ts', `import '../research/replication/papers.ts'`, /cli may not import research/],
    ['cli/x.test.ts', `import '../research/replication/papers.ts'`, /cli may not import research/],
    ['bench/x.ts', `import.meta.glob('../research/x.ts')`, /bench may not import research/],
    ['packages/abr/x.ts', `import 'vite'`, /published may not import the package "vite"/],
  ])('%s: %s', (file, code, expected) => {
    expect(complaints(file, code).join('\n')).toMatch(expected);
  });

  it.each([
    ['src/abr/x.ts', 'Date.now()', /Date\.now in the core/],
    ['src/abr/x.ts', 'new Date()', /new Date\(\) in the core/],
    ['src/sim/x.ts', 'Math.random()', /Math\.random in the core/],
    ['src/telemetry/x.ts', 'performance.now()', /performance\.now in the core/],
    ['src/analysis/x.ts', 'console.log(1)', /console\.log in the core/],
  ])('%s: %s', (file, code, expected) => {
    expect(complaints(file, code).join('\n')).toMatch(expected);
  });

  it('lets through what the directions allow', () => {
    expect(complaints('src/player/x.ts', `import '../abr/rule.ts'; import 'dashjs';`)).toEqual([]);
    expect(complaints('src/charts/x.ts', `import '../analysis/timeline/series.ts'; new Date(0);`)).toEqual(
      [],
    );
    expect(complaints('cli/x.ts', `import.meta.glob('../research/x.ts', { eager: true });`)).toEqual([]);
    expect(complaints('research/x.ts', `import '../cli/shell.ts'; import '../src/abr/rule.ts';`)).toEqual([]);
  });
});

describe('the compiler keeps the core pure', () => {
  mkdirSync(path.join(root, '.pitwall'), { recursive: true });
  const folder = mkdtempSync(path.join(root, '.pitwall', 'fence-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function errorsOf(code: string): string {
    writeFileSync(path.join(folder, 'violation.ts'), code);
    const config = { extends: '../../tsconfig.core.json', include: ['violation.ts'], exclude: [] };
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    try {
      return execFileSync(process.execPath, [tsc, '--noEmit', '-p', folder], { encoding: 'utf8' });
    } catch (error) {
      return (error as { stdout: string }).stdout;
    }
  }

  it.each([
    ['the DOM', 'export const title = document.title;', /Cannot find name 'document'/],
    ['Node', 'export const pid = process.pid;', /Cannot find name 'process'/],
    ['a shell', `export * from '../../src/player/player.ts';`, /TS6307/],
  ])('%s cannot be reached from it', (_what, code, expected) => {
    expect(errorsOf(code)).toMatch(expected);
  });
});
