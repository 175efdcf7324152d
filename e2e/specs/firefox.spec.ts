import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type AccessRecord, readAccessLog } from '../../lab/caddy/accessLog.ts';
import { tools } from '../../lab/tools.ts';
import { asUriAndSize, eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { describeInFull, expect, test } from '../fixtures/test.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const run = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));
const ALL = ['manifest', 'init', 'media'] as const;
/** The protocols in each mode, in the order in which the browser comes to them. */
const MODES = [
  { mode: 'h1', protocols: ['http/1.1'] },
  { mode: 'h2', protocols: ['h2'] },
  { mode: 'h3-racing', protocols: ['h2', 'h3'] },
  { mode: 'h3-only', protocols: ['h3'] },
] as const;

describeInFull('sessions in Firefox', () => {
  let outDir = '';
  const logs = new Map<string, SessionLog>();
  const answers = new Map<string, AccessRecord[]>();

  test.beforeAll(async () => {
    const { firefox, missing } = tools();
    test.skip(firefox === null, missing['firefox'] ?? 'there is no Firefox');
    outDir = await mkdtemp(path.join(tmpdir(), 'pitwall-firefox-'));
    const modes = MODES.map(({ mode }) => mode).join();
    const asked = ['compare', '--seconds=6', '--rules=dashjs-bola', `--transports=${modes}`];
    const command = [path.join(root, 'bin', 'pitwall'), ...asked, '--browsers=firefox', '--out', outDir];
    await run(process.execPath, command, { cwd: root, maxBuffer: 1e8 });
    const records = readAccessLog(path.join(outDir, 'origin-access.jsonl'));
    for (const { mode } of MODES) {
      const id = `dashjs-bola-${mode}-firefox`;
      const session = readSession(await readFile(path.join(outDir, `${id}.json`), 'utf8'));
      if (!session.ok) throw new Error(session.error);
      logs.set(mode, session.value);
      answers.set(
        mode,
        records.filter(({ host, method }) => host.startsWith(`${id}.`) && method === 'GET'),
      );
    }
  });

  test.afterAll(() => rm(outDir, { recursive: true, force: true }));

  for (const { mode, protocols } of MODES) {
    test(`${mode}: the log names browser and mode, and frames were shown`, () => {
      const log = logs.get(mode)!;
      expect(log.environment.browser).toMatch(/^Firefox \d+\.\d+/);
      expect(log.environment.transport).toBe(mode);
      const frames = eventsOf(log, 'frames').map(({ decoded }) => decoded);
      expect(Math.max(...frames)).toBeGreaterThan(60);
    });

    test(`${mode}: requests on ${protocols.join(', then ')}, as the origin says`, () => {
      const answered = requestsIn(logs.get(mode)!, ALL).filter(({ outcome }) => outcome === 'ok');
      const seen = answered.map(({ protocol }) => protocol);
      expect(answered.length).toBeGreaterThan(6);
      expect(seen.filter((each, index) => each !== seen[index - 1])).toEqual(protocols);
      const served = answers.get(mode)!.map(({ protocol }) => protocol);
      expect(new Set(served)).toEqual(new Set(protocols));
    });

    test(`${mode}: every answered request is the origin's, byte for byte, and none is lost`, () => {
      const logged = requestsIn(logs.get(mode)!, ALL).filter(({ outcome }) => outcome === 'ok');
      const served = answers.get(mode)!.map(asUriAndSize.answered);
      for (const each of logged.map(asUriAndSize.logged)) expect(served).toContain(each);
      const asked = requestsIn(logs.get(mode)!, ALL).length;
      expect(asked).toBe(served.length);
    });
  }
});
