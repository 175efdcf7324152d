import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import {
  startInstrumentedOrigin,
  type InstrumentedOrigin,
} from '../../lab/origin/startInstrumentedOrigin.ts';
import { BULK_FILES, BULK_PREFIX, bulkFolder, bulkPath } from './bulkFolder.ts';
import { beginHandshakes, runLoad, loadResult } from './runLoad.ts';
import { loadMissing, loadProtocols } from '../../lab/load/loadProgram.ts';

describe.skipIf(loadMissing() !== null && process.env['CI'] !== 'true')('pitwall-load', () => {
  let bulk: ReturnType<typeof bulkFolder>;
  let origin: InstrumentedOrigin;
  beforeAll(async () => {
    bulk = bulkFolder();
    const mounts = { [BULK_PREFIX]: bulk.folder };
    origin = await startInstrumentedOrigin({ mounts, addresses: ['127.0.0.1'] });
  });
  afterAll(async () => {
    await origin.stop();
    bulk.remove();
  });
  const at = () => ({ host: origin.host, address: `127.0.0.1:${origin.httpsPort}`, seconds: 20 });

  it.each(loadProtocols)(
    'brings whole objects over %s and what the origin tells of them',
    async (protocol) => {
      const asked = { protocol, requests: 2, connections: 2, path: bulkPath('object.bin') };
      const { answers, failures, opened, end } = await runLoad({ ...at(), ...asked });
      expect(failures).toEqual([]);
      expect(opened).toHaveLength(2);
      expect(answers.map(({ request, isWhole }) => [request, isWhole]).sort()).toEqual([
        [0, true],
        [0, true],
        [1, true],
        [1, true],
      ]);
      expect(end.bytes).toBe(4 * BULK_FILES['object.bin']);
      for (const { serverTiming } of answers) expect(serverTiming).toMatch(/controller;desc=/);
    },
  );

  it('limits its read rate with readKbps', async () => {
    const slow = { readKbps: 200, windowBytes: 65_536, path: bulkPath('endless.bin'), seconds: 1 };
    const all = loadProtocols.map((protocol) => runLoad({ ...at(), ...slow, protocol }));
    for (const { answers, failures } of await Promise.all(all)) {
      expect(failures).toEqual([]);
      expect(answers[0]?.isWhole).toBe(false);
      // 25,000 bytes at the rate; what is read at once, a few windows, comes before its time.
      expect(answers[0]?.bytes).toBeLessThan(250_000);
    }
  });

  it('begins handshakes without end, and others are served', async () => {
    await beginHandshakes(at(), 100);
    const { failures } = await runLoad({ ...at(), protocol: 'h3', requests: 1, path: bulkPath('small.bin') });
    expect(failures).toEqual([]);
  });

  it('tells of what is not there', async () => {
    const { failures, end } = await runLoad({ ...at(), protocol: 'h3', requests: 1, path: '/nothing' });
    expect(failures.map(({ why }) => why)).toEqual(['status 404, 0 bytes']);
    expect(end).toMatchObject({ answers: 0, failures: 1 });
  });
});

const end = '{"kind":"end","atUnixMs":2,"bytes":7,"answers":1,"failures":0,"cpuSeconds":0.1}';

test('sorts the lines by kind', () => {
  const result = loadResult(`{"kind":"progress","atUnixMs":1,"bytes":7}\n${end}\n`);
  expect(result).toMatchObject({ opened: [], progress: [{ bytes: 7 }], end: { answers: 1 } });
});

test('a client that broke off is no result', () =>
  expect(() => loadResult('{"kind":"progress","atUnixMs":1,"bytes":7}')).toThrow(/no end/));
