import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findCargo } from '../../setup/findCargo.mjs';
import { originCargo } from '../../setup/buildOrigin.mjs';
import { tools } from '../tools.ts';

const { cacheFolder, origin } = tools();

/** What set-up compiled is used again: only the crate itself is compiled for its tests. */
test.skipIf(origin === null && process.env['CI'] !== 'true')(
  'the tests of the crate pass',
  () => {
    expect(findCargo(), 'cargo').not.toBeNull();
    const { program, args, env } = originCargo(cacheFolder ?? '', 'test');
    const result = spawnSync(program, args, { cwd: path.join(import.meta.dirname), env, encoding: 'utf8' });
    expect(result.stdout, result.stderr).toMatch(/test result: ok\. \d{2,} passed; 0 failed/);
    expect(result.status).toBe(0);
  },
  300_000,
);
