import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { traceFiles } from './traceFiles.ts';

describe('a folder of traces with other files in it', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-traces-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const licence = file('LICENSE', `Permission is hereby granted, ${'free of charge, '.repeat(99)}`);
  const torn = file('torn.log', '0 1\n2 1\n1 1\n');
  file('bus.log', '0 1\n300 1\n');
  file('tram.log', '0 2\n300 2\n');

  test('is played, and what was left out is named with its reason', async () => {
    const { traces, formats, notes } = await traceFiles([folder], null);
    expect(traces.map(({ name }) => name)).toEqual(['bus.log', 'tram.log']);
    expect(formats).toEqual(['cooked']);
    expect(notes).toEqual([
      expect.stringMatching(
        `^left out: ${licence}, line 1, column 1: It needs one column of time .{50,200}…$`,
      ),
      expect.stringMatching(
        `^left out: ${torn}, line 3, column 1: Time goes from 2 s to 1 s; it must rise\\.$`,
      ),
    ]);
  });

  test('is played with a format that was asked for, too', async () => {
    const { traces, notes } = await traceFiles([folder], 'cooked');
    expect(traces).toHaveLength(2);
    expect(notes).toHaveLength(2);
  });

  test('a file that was asked for by name is never left out', async () => {
    await expect(traceFiles([folder, licence], null)).rejects.toThrow('This trace is given twice.');
    await expect(traceFiles([licence], null)).rejects.toThrow(`${licence}, line 1`);
  });

  test('is refused where a trace is in it twice: as a link, or as a copy with other line ends', async () => {
    const here = path.join(folder, 'twice');
    mkdirSync(here);
    const bus = path.join(here, 'bus');
    writeFileSync(bus, '0 1\n300 1\n');
    const other = path.join(here, 'other');
    const ways = [
      () => symlinkSync(bus, other),
      () => linkSync(bus, other),
      () => writeFileSync(other, '0 1\r\n300 1'),
    ];
    for (const make of ways) {
      make();
      const sentence = `${other}: It has the same text as ${bus}; a trace may be given only once.`;
      await expect(traceFiles([here], null)).rejects.toThrow(sentence);
      await expect(traceFiles([bus, other], null)).rejects.toThrow(sentence);
      rmSync(other);
    }
    expect((await traceFiles([here], null)).traces).toHaveLength(1);
  });

  test('of many only five are named', async () => {
    for (let count = 0; count < 9; count++) file(`note-${count}.txt`, 'hello');
    const { notes } = await traceFiles([folder], null);
    expect(notes).toHaveLength(6);
    expect(notes.at(-1)).toBe('left out: 6 more files that are not traces');
  });
});

describe('profiles among traces', () => {
  const example = path.resolve(import.meta.dirname, '../../docs/examples/train.profile.json');

  test('are named by their id or their file', async () => {
    const given = ['profile:dvl', `profile:${example}`];
    const { traces, formats, notes } = await traceFiles(given, null);
    expect(traces.map(({ name }) => name)).toEqual(['dvl', 'train']);
    expect(formats).toEqual(['profile']);
    expect(notes[1]).toContain(`${example} without loss (up to 2 %), the queue, the rate of the uplink`);
    for (const other of [example, `file:${example}`])
      expect((await traceFiles([other], null)).traces).toEqual([traces[1]]);
  });

  test('are refused twice, however they are written', async () => {
    for (const other of [example, `file:${example}`, path.relative('.', example)])
      await expect(traceFiles([`profile:${example}`, other], null)).rejects.toThrow(
        `${other}: This trace is given twice.`,
      );
  });

  test('that nobody knows are an error', async () => {
    await expect(traceFiles(['profile:dlv'], null)).rejects.toThrow(
      'profile:dlv: Unknown profile "dlv": did',
    );
    await expect(traceFiles(['none.json'], null)).rejects.toThrow('none.json: There is no such file');
  });
});
