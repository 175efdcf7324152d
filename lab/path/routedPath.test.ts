import { execFileSync, spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { enterNamespace, ip, namespacesMissing } from '../namespaces.ts';
import { createRoutedPath, type RoutedPath } from './routedPath.ts';

const missing = namespacesMissing();
/** In CI nothing is skipped silently: there the missing piece fails in the test itself. */
const needsNamespaces = describe.skipIf(missing !== null && process.env['CI'] !== 'true');

needsNamespaces(`a routed path (${missing ?? 'this machine can'})`, () => {
  let made: RoutedPath | null = null;
  afterEach(async () => {
    await made?.remove();
    made = null;
  });

  it('carries TCP and UDP, loses UDP in the middle, and leaves nothing behind', async () => {
    made = await createRoutedPath({ downKbps: 10_000 });
    const server = echoServer(made);
    try {
      const client = await made.clientWrapper(process.execPath);
      const ask = (): string =>
        execFileSync(client, ['-e', ECHO_CLIENT, made?.serverAddress ?? ''], { encoding: 'utf8' }).trim();
      await server.ready;
      expect(ask()).toBe('tcp yes, udp yes');
      await made.dropUdp();
      expect(ask()).toBe('tcp yes, udp no');
      expect(await made.droppedPackets()).toBeGreaterThan(0);
      await made.passUdp();
      expect(ask()).toBe('tcp yes, udp yes');
    } finally {
      server.stop();
    }
    const { serverNamespace } = made;
    await made.remove();
    expect(await ip('netns', 'list')).not.toContain(serverNamespace);
  });
});

function echoServer(path: RoutedPath): { ready: Promise<void>; stop(): void } {
  const [program, ...args] = enterNamespace(path.serverNamespace, process.execPath, '-e', ECHO_SERVER);
  const child = spawn(program, args);
  const ready = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
  return { ready, stop: () => void child.kill('SIGKILL') };
}

const ECHO_SERVER = `
const udp = require('node:dgram').createSocket('udp4');
udp.on('message', (text, from) => udp.send(text, from.port, from.address)).bind(7000, () =>
  require('node:net').createServer((s) => s.end('x')).listen(7000, () => console.log('ready')));`;

const ECHO_CLIENT = `
const [host] = process.argv.slice(1);
const udp = require('node:dgram').createSocket('udp4');
const answer = { tcp: 'no', udp: 'no' };
udp.on('message', () => { answer.udp = 'yes'; }).send('x', 7000, host);
require('node:net').connect(7000, host).on('data', () => { answer.tcp = 'yes'; });
setTimeout(() => { console.log('tcp ' + answer.tcp + ', udp ' + answer.udp); process.exit(); }, 400);`;
