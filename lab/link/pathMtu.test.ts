import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Profile, ProfileStep } from '../../src/network/profile.ts';
import { enterNamespace, runInNamespace } from '../namespaces.ts';
import { tools } from '../tools.ts';
import { createLink } from './createLink.ts';
import type { Link } from './link.ts';
import { linkMissing } from './linkMissing.ts';
import { needsRouters } from './pathMtu.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** In CI nothing is skipped silently: there the missing piece fails in the test itself. */
const missing = existsSync(path.join(root, '.pitwall', 'tools.json')) ? linkMissing(tools()) : 'no set-up';
const needsLink = describe.skipIf(missing !== null && process.env['CI'] !== 'true');

const step: ProfileStep = {
  durationMs: 600_000,
  downKbps: 20_000,
  upKbps: null,
  rttMs: 20,
  lossDown: 0,
  lossUp: 0,
};
const profileOf = (steps: readonly ProfileStep[]): Profile => ({
  id: 'test',
  label: 'Test',
  paper: 'none',
  steps,
  repeat: false,
  queue: { kind: 'droptail', packets: 100 },
});

test('only a profile whose routers answer needs them', () => {
  expect(needsRouters(profileOf([step]))).toBe(false);
  expect(needsRouters(profileOf([step, { ...step, mtuBytes: 1280, mtuBlackHole: true }]))).toBe(false);
  expect(needsRouters(profileOf([step, { ...step, mtuBytes: 1280 }]))).toBe(true);
});

needsLink(`the MTU of a link (${missing ?? 'this machine can'})`, () => {
  const links: Link[] = [];
  const children: ChildProcess[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    for (const link of links.splice(0)) await link.remove();
  });

  async function create(steps: readonly ProfileStep[]): Promise<Link> {
    const link = await createLink({ profile: profileOf(steps), seed: 1 });
    links.push(link);
    const [program, ...args] = enterNamespace(link.server.namespace, process.execPath, '-e', SERVER);
    const child = spawn(program, args);
    children.push(child);
    await new Promise((resolve) => child.stdout.once('data', resolve));
    return link;
  }

  /** Which of these UDP datagrams came back, each sent three times; bytes of IP. */
  const echoed = async ({ client, server }: Link, bytes: readonly number[]): Promise<number[]> =>
    JSON.parse(
      await runInNamespace(
        client.namespace,
        process.execPath,
        ...['-e', ECHO, server.address, ...bytes.map(String)],
      ),
    ) as number[];

  test('a router says that packets are too large: senders make them smaller', async () => {
    const link = await create([step, { ...step, mtuBytes: 1280 }]);
    const download = startDownload(link);
    await pause(500);
    expect(await segmentBytes(link)).toBeGreaterThan(1400);
    const before = download.bytes();
    await link.changeMtu({ bytes: 1280 });
    await pause(700);
    // 1280 less 20 bytes of IP and 32 of TCP with its timestamps.
    expect(await segmentBytes(link)).toBe(1228);
    expect(download.bytes() - before).toBeGreaterThan(300_000);
    // Linux splits what its own datagrams have too much as soon as it knows: the second one comes.
    expect(await echoed(link, [1280, 1281, 1400])).toEqual([1280, 1281, 1400]);
    expect(link.mtuChanges.map(({ bytes, blackHole }) => [bytes, blackHole])).toEqual([[1280, undefined]]);
    await link.changeMtu(null);
    expect(link.mtuChanges.at(-1)).toMatchObject({ bytes: 1500 });
  });

  test('nobody says it: larger packets vanish, those of the very size pass, and TCP stands still', async () => {
    const link = await create([step]);
    const download = startDownload(link);
    await pause(500);
    await link.changeMtu({ bytes: 1280, blackHole: true });
    await pause(300);
    const before = download.bytes();
    expect(await echoed(link, [1280, 1281, 1400])).toEqual([1280]);
    expect(download.bytes()).toBe(before);
    expect(await segmentBytes(link)).toBeGreaterThan(1400);
    await link.changeMtu(null);
    expect(await echoed(link, [1400, 1500])).toEqual([1400, 1500]);
  });

  test('a profile has it from its start, and again after an address was lost', async () => {
    const link = await create([{ ...step, mtuBytes: 1280 }]);
    await expect.poll(() => link.mtuChanges.length).toBe(1);
    await link.loseAddress();
    await link.changeAddress();
    startDownload(link);
    await pause(500);
    expect(await segmentBytes(link)).toBe(1228);
  });

  function startDownload({ client, server }: Link): { bytes(): number } {
    const script = ['-e', DOWNLOAD, server.address];
    const [program, ...args] = enterNamespace(client.namespace, process.execPath, ...script);
    const child = spawn(program, args);
    children.push(child);
    let bytes = 0;
    child.stdout.on('data', (text) => (bytes = Number(String(text).trim().split('\n').at(-1))));
    return { bytes: () => bytes };
  }

  /** What the server's TCP puts in a packet, as the kernel says. */
  async function segmentBytes({ server }: Link): Promise<number> {
    const shown = await runInNamespace(server.namespace, 'ss', '-tinH', 'sport', '=', ':7000');
    return Number(/\bmss:(\d+)/.exec(shown)?.[1]);
  }
});

/** Echoes UDP, and sends over TCP without end. */
const SERVER = `
const udp = require('node:dgram').createSocket('udp4');
udp.on('message', (text, from) => udp.send(text, from.port, from.address)).bind(7000, () =>
  require('node:net').createServer((socket) => {
    const block = Buffer.alloc(65536);
    const more = () => { while (socket.write(block)); };
    socket.on('drain', more).on('error', () => {});
    more();
  }).listen(7000, () => console.log('ready')));`;

/** Prints how many bytes have come, every 50 ms. */
const DOWNLOAD = `
let bytes = 0;
require('node:net').connect(7000, process.argv[1]).on('data', (block) => { bytes += block.length; });
setInterval(() => console.log(bytes), 50);`;

/** IP and UDP have 28 bytes of header. */
const ECHO = `
const [host, ...sizes] = process.argv.slice(1);
const socket = require('node:dgram').createSocket('udp4');
const came = new Set();
socket.on('message', (text) => came.add(text.length + 28));
let round = 0;
const send = () => {
  for (const size of sizes) socket.send(Buffer.alloc(Number(size) - 28), 7000, host);
  round += 1;
  setTimeout(round < 3 ? send : () => { console.log(JSON.stringify([...came].sort((a, b) => a - b))); process.exit(); }, 150);
};
send();`;
