import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { Command } from 'commander';
import { afterAll, describe, expect, it, test, vi } from 'vitest';
import { COMMANDS, main } from './main.ts';
import type { Shell } from './shell.ts';

// Every command of the README is tested as the README has it.

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-readme-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// A finished run takes the place of the reader's `runs/NAME`.
const packed = brotliDecompressSync(readFileSync('baseline/data/lab.json.br')).toString();
for (const [name, text] of Object.entries(JSON.parse(packed) as Record<string, string>)) {
  if (!name.startsWith('caddy/')) continue;
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const commandsIn = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^ {4}npx pitwall (.*?)(?: +#.*)?$/gm)].map(([, words]) =>
    words!.trim(),
  );
const README = commandsIn('README.md');

/** Tells whether a command is only parsed: it plays for minutes, or needs a browser, a NetLog or sessions on three networks. */
const isSlow = (words: string): boolean =>
  /^(serve|open|ask|doctor|gate|transfer|races|predict)\b/.test(words) ||
  (words.startsWith('compare') && !/--dry-run|--simulate/.test(words));

/** Splits a command into arguments, with test folders in place of the reader's, and plans campaigns without playing them. */
const argumentsOf = (words: string): string[] =>
  [...words.split(/ +/), ...(words.includes('--simulate') ? ['--dry-run'] : [])].map((word) =>
    word
      .replace(/^runs\/[\w-]+$/, path.join(folder, 'caddy'))
      .replace(/^tables$/, path.join(folder, 'tables')),
  );

/** Parses the command with its options and arguments, without running it. */
async function parse(words: string): Promise<void> {
  const program = new Command('pitwall').exitOverride().configureOutput({ writeErr: () => undefined });
  for (const add of COMMANDS) add(program, { root: '.', exit: () => undefined } satisfies Shell);
  for (const command of program.commands) command.exitOverride().action(() => undefined);
  await program.parseAsync(words.split(/ +/), { from: 'user' });
}

it('has commands of every kind', () => {
  expect(README.length).toBeGreaterThan(15);
  expect(README.filter(isSlow).length).toBeGreaterThan(4);
});

test.each(README.filter(isSlow))('%s is understood', (words) =>
  expect(parse(words)).resolves.toBeUndefined(),
);

test('a word that no command knows would be noticed', () =>
  expect(parse('compare --transport h2')).rejects.toThrow(/unknown option/));

/** Tells whether a command starts threads. These load the bundle that the program makes, so it runs in a process of its own. */
const ownProcess = (words: string): boolean => /^(sim|optimum)\b/.test(words);

describe('runs as it stands', () => {
  const fast = README.filter((words) => !isSlow(words));
  test.each(fast.filter((words) => !ownProcess(words)))('%s', async (words) => {
    let printed = '';
    const spies = (['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((text) => {
        printed += String(text);
        return true;
      }),
    );
    const status = await main(argumentsOf(words), '.').finally(() => {
      for (const spy of spies) spy.mockRestore();
    });
    expect(status, printed).toBe(0);
  });
  test.each(fast.filter(ownProcess))(
    '%s, in a process of its own',
    (words) => {
      const { status, stdout, stderr } = spawnSync('bin/pitwall', argumentsOf(words), { encoding: 'utf8' });
      expect(status, stderr).toBe(0);
      expect(stdout).toContain('traces  2 (csv)');
    },
    240_000,
  );
});

test('the example of the profiles shows rules that differ', () => {
  const [first] = commandsIn('docs/networks.md');
  expect(first).toMatch(/^sim --rules \S+,\S+ --traces profile:/);
});
