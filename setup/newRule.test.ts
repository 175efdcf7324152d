import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  brokenCoin,
  coin,
  ownEnvironment,
  treeWithRule,
  type SourceTree,
} from '../e2e/fixtures/extraRule.ts';
import { exampleLog } from '../src/telemetry/exampleLog.testing.ts';

const node = promisify(execFile);

/** That the page offers it too is shown in `e2e/specs/newRule.spec.ts`. */
describe('a rule that is one file and one export line', () => {
  let tree: SourceTree;
  beforeAll(() => {
    tree = treeWithRule('coin', coin);
  });
  afterAll(() => {
    const { root } = tree;
    tree.remove();
    expect(existsSync(root)).toBe(false);
  });

  /** Runs tests of the copy; resolves to the outcome of each by its whole name. */
  async function outcomes(...args: string[]): Promise<Map<string, string>> {
    const report = path.join(tree.root, 'report.json');
    const runner = path.join(tree.root, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=json', `--outputFile=${report}`];
    // A failing test makes it exit with 1; the report says which.
    await node(process.execPath, [runner, 'run', ...reporters, ...args], {
      cwd: tree.root,
      env: ownEnvironment(),
    }).catch(() => undefined);
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
      testResults: { assertionResults: { fullName: string; status: string }[] }[];
    };
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
    return new Map(tests.map(({ fullName, status }) => [fullName, status]));
  }

  it('is held to the contract like every other, and to all that is said of the registry', async () => {
    const rules = ['src/abr/registry.test.ts', 'src/player/bridge/replay.test.ts'];
    const names = ['src/player/rules.test.ts', 'src/ui/panels/eventViews.test.ts'];
    // The other rules' own contract tests are run elsewhere.
    const all = await outcomes(
      ...rules,
      ...names,
      '-t',
      'coin|the registry of rules|rules that can be picked|three letters',
    );
    const passed = [...all].filter(([, status]) => status === 'passed').map(([name]) => name);
    expect([...all].filter(([, status]) => status === 'failed')).toEqual([]);
    expect(passed.filter((name) => name.includes('coin')).length).toBeGreaterThan(5);
    expect(passed.filter((name) => name.includes('the registry of rules')).length).toBeGreaterThan(1);
    for (const name of ['rules that can be picked', 'three letters'])
      expect(
        passed.filter((each) => each.includes(name)),
        name,
      ).not.toEqual([]);
  });

  it('fails there when it breaks the contract', async () => {
    tree.rewrite(brokenCoin);
    const all = await outcomes('src/abr/registry.test.ts', '-t', 'the rule coin');
    tree.rewrite(coin);
    const failed = [...all].filter(([, status]) => status === 'failed').map(([name]) => name);
    expect(failed).toContainEqual(expect.stringMatching(/the rule coin answers with a rung of the ladder/));
  });

  it('can be picked on the command line', async () => {
    const pitwall = async (...args: string[]): Promise<string> => {
      const program = path.join(tree.root, 'bin', 'pitwall');
      const { stdout } = await node(process.execPath, [program, ...args], {
        cwd: tree.root,
        env: ownEnvironment(),
      });
      return stdout;
    };
    expect(await pitwall('compare', '--help')).toMatch(/--rules <ids>[^]*\bcoin\b[^]*--transports/);
    writeFileSync(path.join(tree.root, 'session.json'), JSON.stringify(exampleLog()));
    expect(await pitwall('replay', 'session.json', '--rule', 'coin')).toContain('The coin shows heads.');
    const traces = path.join(tree.root, 'traces');
    mkdirSync(traces);
    // Pensieve's format: seconds and Mbit/s.
    writeFileSync(path.join(traces, 'steady'), '0.0 2.0\n1.0 2.0\n2.0 2.0\n');
    const json = path.join(tree.root, 'results.json');
    await pitwall('sim', '--rules', 'coin', '--traces', traces, '--video', 'envivio', '--json', json);
    const [result] = JSON.parse(readFileSync(json, 'utf8')) as { rule: string; switchesMean: number }[];
    // The first two chunks are of one rung: the first is nobody's choice.
    expect(result).toMatchObject({ rule: 'coin', sessions: 1, switchesMean: 46 });
  });
});
