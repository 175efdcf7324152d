import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addTraces, filesOfTrace, keptNames, lackingTraces } from './traceStore.ts';
import { namedTrace, traceSets, type TraceSet } from '../../src/network/traceSets/traceSets.ts';
import { traceFiles } from './traceFiles.ts';
import { describeWithTraces } from '../../src/shared/sharedTraces.testing.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pitwall-traces-'));
  vi.stubEnv('PITWALL_TRACES', path.join(folder, 'kept'));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const TEXT = '1\t2.5\n2\t1.5\n3\t2\n';
const set: TraceSet = {
  id: 'made-up',
  label: 'two seconds',
  published: 'nowhere',
  licence: 'none',
  files: { one: createHash('sha256').update(TEXT).digest('hex').slice(0, 32), two: '0'.repeat(32) },
};

describe('traces of a set', () => {
  test('are recognized by what is in a file, in any folder below', async () => {
    mkdirSync(path.join(folder, 'a/b'), { recursive: true });
    writeFileSync(path.join(folder, 'a/b/renamed.txt'), TEXT);
    writeFileSync(path.join(folder, 'a/other'), `${TEXT}4\t1\n`);
    const again = { set, found: 1 };
    expect(await addTraces(path.join(folder, 'a'), [set])).toEqual([{ ...again, added: 1 }]);
    expect(await addTraces(path.join(folder, 'a'), [set])).toEqual([{ ...again, added: 0 }]);
    expect(keptNames(set)).toEqual(['one']);
    expect(readFileSync(path.join(folder, 'kept/made-up/one'), 'utf8')).toBe(TEXT);
  });

  test('are recognized with the line ends of Windows', async () => {
    writeFileSync(path.join(folder, 'crlf'), TEXT.replaceAll('\n', '\r\n'));
    expect(await addTraces(path.join(folder, 'crlf'), [set])).toEqual([{ set, found: 1, added: 1 }]);
  });

  test('are not looked for behind links', async () => {
    mkdirSync(path.join(folder, 'a'));
    symlinkSync('.', path.join(folder, 'a/itself'));
    symlinkSync('/dev/zero', path.join(folder, 'a/endless'));
    expect(await addTraces(path.join(folder, 'a'), [set])).toEqual([{ set, found: 0, added: 0 }]);
  });

  test('a folder that is not there is one sentence', async () =>
    expect(addTraces(path.join(folder, 'none'))).rejects.toThrow(
      `${path.join(folder, 'none')}: There is no such file or folder.`,
    ));
});

describe('a name', () => {
  test('of a trace that is not here says what it is and where it is published', () => {
    const [hsdpa] = traceSets;
    expect(() => filesOfTrace('trace:hsdpa/norway_bus_1', '.')).toThrow(hsdpa!.published);
    expect(() => filesOfTrace('trace:hsdpa/norway_bus_1', '.')).toThrow('pitwall traces add FOLDER');
    expect(lackingTraces(['trace:hsdpa/norway_bus_1', 'trace:hsdpa/norway_bus_2'], '.')).toEqual([
      expect.stringContaining('2 traces of this set of 142'),
    ]);
  });

  test('that no set has asks for the one that is meant', () =>
    expect(() => filesOfTrace('trace:hsdpa/norwy_metro_9', '.')).toThrow(
      'Unknown trace of hsdpa "norwy_metro_9": did you mean "norway_metro_9"? Known: norway_bus_1, norway_bus_10, norway_bus_11 and 139 others.',
    ));

  test.each(['trace:./hsdpa/norway_bus_1', 'trace:../hsdpa/norway_bus_1', 'trace:other/norway_bus_1'])(
    '%s is a path',
    (entry) => {
      expect(namedTrace(entry)).toBeNull();
      expect(filesOfTrace(entry, folder)).toEqual([path.resolve(folder, entry.slice(6))]);
    },
  );

  test('no file is in two sets, or twice in one', () => {
    const hashes = traceSets.flatMap(({ files }) => Object.values(files));
    expect(new Set(hashes).size).toBe(hashes.length);
    for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{32}$/);
  });
});

describeWithTraces('the published sets', (published) => {
  test('are found whole, and read', async () => {
    const sets = await addTraces(published);
    for (const { set: each, found } of sets)
      expect([each.id, found]).toEqual([each.id, Object.keys(each.files).length]);
    const { traces } = await traceFiles(
      ['trace:hsdpa', 'trace:fcc/000_trace_942154_http---www.ebay.com_0'],
      null,
    );
    expect(traces).toHaveLength(143);
  });
});
