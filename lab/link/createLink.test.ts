import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { Profile, ProfileStep } from '../../src/network/profile.ts';
import { namespaceWay } from '../../setup/namespaceWay.mjs';
import { enterNamespace, ip, runInNamespace } from '../namespaces.ts';
import { tools } from '../tools.ts';
import { createLink, prepareLink } from './createLink.ts';
import type { Link } from './link.ts';
import { linkMissing } from './linkMissing.ts';
import { sweepLinks } from './sweepLinks.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** In CI nothing is skipped silently: there the missing piece fails in the test itself. */
const missing = existsSync(path.join(root, '.pitwall', 'tools.json')) ? linkMissing(tools()) : 'no set-up';
const needsLink = describe.skipIf(missing !== null && process.env['CI'] !== 'true');

const step: ProfileStep = {
  durationMs: 1000,
  downKbps: 5000,
  upKbps: 5000,
  rttMs: 30,
  lossDown: 0,
  lossUp: 0,
};
const profileOf = (steps: readonly ProfileStep[], changes: Partial<Profile> = {}): Profile => ({
  id: 'test',
  label: 'Test',
  paper: 'none',
  steps,
  repeat: false,
  queue: { kind: 'droptail', packets: 50 },
  ...changes,
});

needsLink(`an emulated link (${missing ?? 'this machine can'})`, () => {
  const made: Link[] = [];
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const link of made.splice(0)) await link.remove();
  });
  const create = async (profile: Profile): Promise<Link> => {
    const link = await createLink({ profile, seed: 1 });
    made.push(link);
    return link;
  };
  const start = (namespace: string, ...command: [string, ...string[]]) => {
    const [program, ...args] = enterNamespace(namespace, ...command);
    const child = spawn(program, args);
    children.push(child);
    return child;
  };
  const serve = async ({ server }: Link): Promise<void> => {
    const child = start(server.namespace, process.execPath, '-e', SERVER);
    await new Promise((resolve) => child.stdout.once('data', resolve));
  };

  it('has no address that changes by itself once a browser may start', async () => {
    const link = await create(profileOf([step]));
    await link.clientWrapper('/bin/true');
    const monitor = start(link.client.namespace, 'ip', 'monitor', 'address');
    let seen = '';
    monitor.stdout.on('data', (data) => (seen += String(data)));
    await pause(2500);
    expect(seen).toBe('');
    // The witness sees what it should.
    await link.changeAddress();
    await expect.poll(() => seen).toContain('inet 198.51.100.');
  });

  it('begins its profile when it is started, whatever its ends sent before', async () => {
    const link = await prepareLink({ profile: profileOf([step]), seed: 1 });
    try {
      await runInNamespace(link.client.namespace, process.execPath, '-e', ASK_NAMES, link.server.address);
      const askedUnixMs = Date.now();
      const { startedAtUnixMs } = await link.begin();
      expect(startedAtUnixMs).toBeGreaterThanOrEqual(askedUnixMs);
    } finally {
      await link.remove();
    }
  });

  it('replays delay and loss as they change, two at once, and leaves nothing behind', async () => {
    const steps = [step, { ...step, rttMs: 200 }, { ...step, lossUp: 1 }];
    const [changing, steady] = await Promise.all([
      create(profileOf(steps, { repeat: true })),
      create(profileOf([{ ...step, rttMs: 60 }])),
    ]);
    await Promise.all([serve(changing), serve(steady)]);
    const [pings, others] = await Promise.all([ping(changing), ping(steady)]);
    // A busy machine makes a round trip longer, never shorter, and the shortest of many hardly.
    const shortest = (some: readonly Ping[]): number =>
      Math.min(...some.map(({ rttMs }) => rttMs ?? Infinity));
    const inStep = (at: number): Ping[] =>
      pings.filter(({ sentUnixMs }) => {
        const intoMs = (sentUnixMs - changing.startedAtUnixMs) % (steps.length * step.durationMs);
        return Math.abs(intoMs - (at + 0.5) * step.durationMs) < 0.3 * step.durationMs;
      });
    expect(shortest(others)).toBeGreaterThanOrEqual(60);
    expect(shortest(others)).toBeLessThan(90);
    expect(shortest(inStep(0))).toBeGreaterThanOrEqual(30);
    expect(shortest(inStep(0))).toBeLessThan(60);
    expect(shortest(inStep(1))).toBeGreaterThanOrEqual(200);
    expect(shortest(inStep(1))).toBeLessThan(240);
    expect(inStep(2).length).toBeGreaterThan(5);
    expect(inStep(2).filter(({ rttMs }) => rttMs !== null)).toEqual([]);
    const names = [changing, steady].flatMap(({ client, server }) => [client.namespace, server.namespace]);
    expect(await namespaces()).toEqual(expect.arrayContaining(names));
    await Promise.all([changing.remove(), steady.remove()]);
    expect((await namespaces()).filter((name) => names.includes(name))).toEqual([]);
    expect(commandsWith(`pitwall-link-${process.pid}-`)).toEqual([]);
  });

  it('loses UDP alone, changes the address, and sets the controller', async () => {
    const udp = [{ fromMs: 300, untilMs: 600, kbps: 64 }];
    const link = await create(profileOf([step], { udp }));
    expect(readFileSync(`/proc/${link.emulatorPid}/comm`, 'utf8').trim()).toBe('rattan');
    await serve(link);
    await until(() => link.udpChanges.length === 2);
    expect(link.udpChanges.map(({ kbps }) => kbps)).toEqual([64, null]);
    const afterMs = link.udpChanges.map(({ atUnixMs }) => atUnixMs - link.startedAtUnixMs);
    expect(afterMs[0]).toBeGreaterThanOrEqual(300);
    expect(afterMs[1]).toBeGreaterThanOrEqual(600);
    await link.useController('server', { name: 'reno', initialWindowPackets: 32 });
    await link.limit('udp', 0);
    expect(await ask(link)).toEqual({ tcp: link.client.address, controller: 'reno', udp: false });
    await link.limit('udp', 64);
    // 2 s at 64 kbit/s and the burst of 16,000 bytes are 31 packets of 1028 bytes, of 400 that come.
    const passed = Number(await inClient(link, FLOOD));
    expect(passed).toBeGreaterThan(20);
    expect(passed).toBeLessThan(45);
    await link.limit('udp', null);
    expect(await ask(link)).toMatchObject({ udp: true });
    await link.limit('tcp', 0);
    expect(await ask(link)).toMatchObject({ tcp: null, udp: true });
    await link.limit('tcp', null);
    expect(link.tcpChanges.map(({ kbps }) => kbps)).toEqual([0, null]);
    await link.changeAddress();
    const address = link.addressChanges[0]?.address;
    expect(await ask(link)).toEqual({ tcp: address, controller: 'reno', udp: true });
    expect(address).not.toBe(link.client.address);
  });

  it('gives a UDP flow another port behind its back, as often as it is asked', async () => {
    const link = await create(profileOf([step]));
    await serve(link);
    const flow = inClient(link, FLOW);
    await pause(1000);
    await link.changeUdpPorts();
    await pause(1000);
    await link.changeUdpPorts();
    const { own, seen } = JSON.parse(await flow) as { own: number; seen: number[] };
    expect(new Set(seen).size).toBe(3);
    expect(seen[0]).toBe(own);
    expect([...new Set(seen)].slice(1).every((port) => port < 32_768)).toBe(true);
    // One answer every 50 ms: next to nothing is lost.
    expect(seen.length).toBeGreaterThan(40);
    expect(link.udpPortChanges.map(({ flows }) => flows)).toEqual([1, 1]);
  });

  it('has no address for a time, and the same routes with the next one', async () => {
    const steps = [
      { ...step, durationMs: 500 },
      { ...step, newAddress: true, gapMs: 1000 },
    ];
    const link = await create(profileOf(steps));
    await link.useController('client', { name: 'reno', initialWindowPackets: 32 });
    const routes = (): Promise<string> => runInNamespace(link.client.namespace, 'ip', 'route');
    const before = await routes();
    expect(before).toContain('congctl reno');
    await serve(link);
    await until(async () => (await routes()) === '');
    expect(await ask(link, 300)).toEqual({ tcp: null, controller: null, udp: false });
    await until(() => link.addressChanges.length === 1);
    expect(await routes()).toBe(before);
    const { address, atUnixMs, lostAtUnixMs = 0 } = link.addressChanges[0]!;
    expect(await ask(link)).toMatchObject({ tcp: address, udp: true });
    expect(address).not.toBe(link.client.address);
    expect(Math.abs(lostAtUnixMs - link.startedAtUnixMs - 500)).toBeLessThan(200);
    expect(Math.abs(atUnixMs - lostAtUnixMs - 1000)).toBeLessThan(200);
  });

  it('ends with a run that is killed, and the next one sweeps what that left', async () => {
    const killed = spawn(process.execPath, [
      path.join(root, 'bin', 'pitwall'),
      'lab',
      'calibrate',
      '--quick',
    ]);
    children.push(killed);
    const mark = `pitwall-link-${killed.pid}-`;
    // Only those of root have names that other processes see.
    const areNamed = async (): Promise<boolean> =>
      namespaceWay().kind !== 'root' || (await namespaces()).some((name) => name.startsWith(mark));
    const inside = (): number[] => childrenWith('trafficEnd', killed.pid ?? 0);
    const isRunning = async (): Promise<boolean> => (await areNamed()) && inside().length > 0;
    await until(isRunning);
    expect(commandsWith(mark)).not.toEqual([]);
    const pids = inside();
    killed.kill('SIGKILL');
    await until(() => commandsWith(mark).length === 0 && !pids.some((pid) => existsSync(`/proc/${pid}`)));
    await sweepLinks();
    expect((await namespaces()).filter((name) => name.startsWith(mark))).toEqual([]);
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(mark))).toEqual([]);
    // The command line may have to be bundled first.
  });
});

async function namespaces(): Promise<string[]> {
  return (await ip('netns', 'list')).split('\n').map((line) => line.split(' ')[0] ?? '');
}

interface Living {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

function living(): Living[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      const [, parent] = /\) \S+ (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return [{ pid: Number(pid), parent: Number(parent), command }];
    } catch {
      // It ended just now.
      return [];
    }
  });
}

/** Command lines of living processes that have a text in them. */
const commandsWith = (text: string): string[] =>
  living().flatMap(({ command }) => (command.includes(text) ? [command] : []));

const childrenWith = (text: string, of: number): number[] =>
  living().flatMap(({ pid, parent, command }) => (parent === of && command.includes(text) ? [pid] : []));

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const endMs = Date.now() + 15_000; Date.now() < endMs; await pause(50)) if (await condition()) return;
  throw new Error('it did not happen within 15 s');
}

interface Asked {
  /** The client's address as the server saw it; null when TCP did not get through. */
  readonly tcp: string | null;
  readonly controller: string | null;
  readonly udp: boolean;
}

const ask = async (link: Link, withinMs = 1500): Promise<Asked> =>
  JSON.parse(await inClient(link, ASK.replace('1500', String(withinMs)))) as Asked;

/** Program that asks a name server, as a browser does at its start; the system refuses or loses the packet. */
const ASK_NAMES = `
const socket = require('node:dgram').createSocket('udp4');
const end = () => setTimeout(() => process.exit(0), 300);
socket.send('who?', 53, process.argv[1], end);`;

interface Ping {
  readonly sentUnixMs: number;
  readonly rttMs: number | null;
}

const ping = async (link: Link): Promise<Ping[]> => JSON.parse(await inClient(link, PING)) as Ping[];

const inClient = ({ client, server }: Link, script: string): Promise<string> =>
  runInNamespace(client.namespace, process.execPath, '-e', script, server.address);

const SERVER = `
const udp = require('node:dgram').createSocket('udp4');
const { execFileSync } = require('node:child_process');
udp.on('message', (text, from) => udp.send(String(text) === 'port' ? String(from.port) : text, from.port, from.address)).bind(7000, () =>
  require('node:net').createServer((socket) => {
    const told = execFileSync('ss', ['-tinH', 'dport', '=', ':' + socket.remotePort], { encoding: 'utf8' });
    const controller = (/\\b(reno|cubic|bbr)\\b/.exec(told) || [])[1];
    socket.end(JSON.stringify({ tcp: socket.remoteAddress.replace('::ffff:', ''), controller }));
    socket.on('error', () => {});
  }).listen(7000, () => console.log('ready')));`;

/** TCP and UDP once; ready when both have answered, or after a while. */
const ASK = `
const [host] = process.argv.slice(1);
const answer = { tcp: null, controller: null, udp: false };
const tell = () => { console.log(JSON.stringify(answer)); process.exit(); };
const note = (news) => { Object.assign(answer, news); if (answer.tcp && answer.udp) tell(); };
require('node:dgram').createSocket('udp4').on('message', () => note({ udp: true })).send('x', 7000, host, () => {});
require('node:net').connect(7000, host).on('data', (text) => note(JSON.parse(text))).on('error', () => {});
setTimeout(tell, 1500);`;

/** A UDP flow of 3 s that asks every 50 ms by which port the server knows it. */
const FLOW = `
const [host] = process.argv.slice(1);
const socket = require('node:dgram').createSocket('udp4');
const seen = [];
socket.on('message', (text) => seen.push(Number(text)));
socket.connect(7000, host, () => setInterval(() => socket.send('port'), 50));
setTimeout(() => { console.log(JSON.stringify({ own: socket.address().port, seen })); process.exit(); }, 3000);`;

/** A UDP packet every 25 ms for 4 s. */
const PING = `
const [host] = process.argv.slice(1);
const socket = require('node:dgram').createSocket('udp4');
const pings = [];
socket.on('message', (text) => {
  const ping = pings[Number(text)];
  ping.rttMs = performance.now() - ping.sentMs;
});
const timer = setInterval(() => {
  pings.push({ sentUnixMs: Date.now(), sentMs: performance.now(), rttMs: null });
  socket.send(String(pings.length - 1), 7000, host);
}, 25);
setTimeout(() => clearInterval(timer), 4000);
setTimeout(() => { console.log(JSON.stringify(pings)); process.exit(); }, 4500);`;

/** 400 packets of 1000 bytes in 2 s; how many came back. */
const FLOOD = `
const [host] = process.argv.slice(1);
const socket = require('node:dgram').createSocket('udp4');
let back = 0;
socket.on('message', () => { back += 1; });
const fromMs = performance.now();
let sent = 0;
const timer = setInterval(() => {
  for (; sent < 400 && sent * 5 < performance.now() - fromMs; sent += 1) socket.send(Buffer.alloc(1000), 7000, host);
}, 5);
setTimeout(() => { console.log(back); process.exit(); }, 2300);`;
