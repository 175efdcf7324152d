import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatWrapper, ip, namespacesMissing, runInNamespace } from './namespaces.ts';

it('passes on why there are no namespaces', () => {
  expect(namespacesMissing({ kind: 'none', why: 'network namespaces need Linux' })).toBe(
    'network namespaces need Linux',
  );
  expect(namespacesMissing({ kind: 'user-namespace' })).toBeNull();
});

const missing = namespacesMissing();

/** In CI nothing is skipped silently: there the missing piece fails in the test itself. */
describe.skipIf(missing !== null && process.env['CI'] !== 'true')('a network namespace', () => {
  const name = `pitwall-${process.pid}-0c`;
  let folder = '';
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), "pitwall's-"));
    await ip('netns', 'add', name);
  });
  afterAll(async () => {
    await ip('netns', 'del', name);
    rmSync(folder, { recursive: true });
  });

  it('has a network of its own, and the files and the folder of the machine', async () => {
    const devices = await runInNamespace(name, 'ip', '-brief', 'link');
    expect(devices.trim().split('\n')).toHaveLength(1);
    expect((await runInNamespace(name, 'pwd')).trim()).toBe(process.cwd());
    const file = path.join(folder, 'written');
    await runInNamespace(name, 'sh', '-c', 'touch "$0"', file);
    // Whoever is root inside is still the same user outside.
    rmSync(file);
  });

  it('is entered by a script that runs a program with its arguments', () => {
    const program = path.join(folder, 'a program');
    writeFileSync(program, '#!/bin/sh\nnft list tables && echo "$1|$2"\n', { mode: 0o755 });
    const wrapper = path.join(folder, 'wrapper');
    writeFileSync(wrapper, formatWrapper(name, program), { mode: 0o755 });
    expect(execFileSync(wrapper, ['a b', '$c'], { encoding: 'utf8' })).toBe('a b|$c\n');
  });
});
