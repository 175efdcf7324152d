import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepRunning } from './keepRunning.ts';
import { serversRunning, watchServers, type ServerWatch } from './watchServers.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-watch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const pidFile = path.join(folder, 'pid');

const servers: ChildProcess[] = [];
const watches: { stop(): unknown }[] = [];
const listeners = process.listenerCount('SIGINT');
afterEach(() => {
  for (const watch of watches.splice(0)) watch.stop();
  for (const server of servers.splice(0)) server.kill('SIGKILL');
});

/** A process in the place of a server, whose id is in the file. */
function serve(): ChildProcess {
  const server = spawn('sleep', ['60']);
  servers.push(server);
  writeFileSync(pidFile, String(server.pid));
  return server;
}

function watch(): ServerWatch {
  const watching = watchServers([pidFile], 20);
  watches.push(watching);
  return watching;
}

const passed = (ms: number): Promise<'nothing'> =>
  new Promise((resolve) => setTimeout(() => resolve('nothing'), ms));

describe('a server that is watched', () => {
  it('says nothing while it runs', async () => {
    serve();
    expect(await Promise.race([watch().down, passed(200)])).toBe('nothing');
  });

  it('is down when it is killed', async () => {
    const server = serve();
    const { down } = watch();
    server.kill('SIGKILL');
    expect(await down).toBe(`The server of process ${server.pid} ended.`);
  });

  it.runIf(process.platform === 'linux')('is down when it stands still', async () => {
    const server = serve();
    const { down } = watch();
    server.kill('SIGSTOP');
    expect(await down).toBe(`The server of process ${server.pid} stands still: a signal stopped it.`);
  });

  it('is down when another one has come in its place', async () => {
    const first = serve();
    const { down } = watch();
    serve();
    first.kill('SIGKILL');
    expect(await down).toContain(String(first.pid));
  });
});

describe('before a session', () => {
  it('a server that is just started again is waited for', async () => {
    serve().kill('SIGKILL');
    setTimeout(serve, 150);
    await serversRunning([pidFile], 5000);
  });

  it('one that does not come is a fault', async () => {
    rmSync(pidFile);
    await expect(serversRunning([pidFile], 50)).rejects.toThrow('The server of process unknown ended.');
  });
});

describe('an origin that is kept running', () => {
  let [starts, printed, tell] = [0, [] as string[], (): void => {}];
  beforeEach(() => void ([starts, printed] = [0, []]));
  const restart = async (): Promise<void> => {
    starts += 1;
    await passed(50);
    serve();
    tell();
  };
  const keep = (): ReturnType<typeof keepRunning> => {
    const kept = keepRunning([{ pidFile, restart }], (sentence) => printed.push(sentence));
    watches.push(kept);
    return kept;
  };

  it('is started again each time, with a sentence, until it is to end', async () => {
    const first = serve();
    const kept = keep();
    for (const count of [1, 2]) {
      const started = new Promise<void>((resolve) => (tell = resolve));
      servers.at(-1)!.kill('SIGKILL');
      await started;
      expect(starts).toBe(count);
      await passed(20);
    }
    expect(printed[0]).toBe(
      `The server of process ${first.pid} ended. It is started again, and sessions that it was serving are played again.`,
    );
    await kept.stop();
    servers.at(-1)!.kill('SIGKILL');
    await passed(700);
    expect([starts, printed.length]).toEqual([2, 2]);
  });

  it('is not started again once the run is ended by a signal', async () => {
    const server = serve();
    const kept = keep();
    process.emit('SIGINT');
    server.kill('SIGKILL');
    await passed(700);
    await kept.stop();
    expect([starts, printed]).toEqual([0, []]);
    expect(process.listenerCount('SIGINT')).toBe(listeners);
  });

  it('is waited for while it is just started again, so that it is not left behind', async () => {
    const server = serve();
    const kept = keep();
    server.kill('SIGKILL');
    while (starts === 0) await passed(10);
    await kept.stop();
    expect(servers).toHaveLength(2);
  });
});
