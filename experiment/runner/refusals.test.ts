import { expect, test } from 'vitest';
import { refuseOrigin, refuseFarStreams, refuseOtherKind } from './refusals.ts';

const machine = {
  program: () => null as string | null,
  controller: (name: string) => (name === 'bbr' ? 'the kernel has no TCP controller bbr' : null),
};
const instrumented = { origin: 'instrumented' as const, profiles: [] };

test('a machine without the program is refused before anything is played', () =>
  expect(() =>
    refuseOrigin(instrumented, 'c.json', {
      ...machine,
      program: () => 'the instrumented origin is missing: no cargo',
    }),
  ).toThrow(
    'c.json: /origin: the instrumented origin is missing: no cargo. On this machine use "origin": "caddy"',
  ));

test("so is TCP's controller that the kernel has not, with its place", () => {
  expect(() => refuseOrigin({ ...instrumented, controllers: ['reno', 'bbr'] }, 'c.json', machine)).toThrow(
    'c.json: /controllers/1: the kernel has no TCP controller bbr.',
  );
  // QUIC has its own.
  refuseOrigin({ ...instrumented, controllers: ['reno', 'tcp=reno:quic=bbr'] }, 'c.json', machine);
});

test('over a link the origin may choose every controller, and on loopback those of its user', () => {
  const ordinary = {
    ...machine,
    controller: (name: string, { isRoot = false } = {}) => (isRoot ? null : `${name} needs root`),
  };
  const cubic = { ...instrumented, controllers: ['cubic'] };
  refuseOrigin({ ...cubic, profiles: ['dvl'] }, 'c.json', ordinary);
  expect(() => refuseOrigin(cubic, 'c.json', ordinary)).toThrow('c.json: /controllers/0: cubic needs root.');
});

test('so is that of a flow of TCP beside the viewer, with its place', () => {
  const beside = ['alone', 'quic-bbr', 'tcp-cubic+tcp-bbr:flows=2'];
  expect(() => refuseOrigin({ ...instrumented, beside }, 'c.json', machine)).toThrow(
    'c.json: /beside/2: the kernel has no TCP controller bbr.',
  );
  refuseOrigin({ ...instrumented, beside: beside.slice(0, 2) }, 'c.json', machine);
});

test('Caddy needs none of it', () =>
  refuseOrigin({ origin: 'caddy', profiles: [] }, 'c.json', { ...machine, program: () => 'missing' }));

test('a command refuses the file of the other one', () => {
  expect(() => refuseOtherKind({ transfers: ['objects'] }, { file: 't.json' })).toThrow(
    't.json: This is a file of transfers, without a player: use pitwall transfer t.json.',
  );
  expect(() => refuseOtherKind({}, { file: 'c.json', downloads: true })).toThrow(
    'c.json: This is a campaign that plays streams: use pitwall compare c.json.',
  );
  refuseOtherKind({ transfers: ['objects'] }, { file: 't.json', downloads: true });
  refuseOtherKind({}, { file: 'c.json' });
});

const far = ['demo', 'https://cdn.example/a.mpd'];

test("an MPD's address is refused where links are asked for, with its place", () =>
  expect(() => refuseFarStreams({ contents: far, profiles: ['dvl'] }, 'c.json')).toThrow(
    'c.json: /contents/1: The address of an MPD needs "profiles": []. Over emulated links use padded:PATH.mpd, or --simulate.',
  ));

test.each([
  { contents: far, profiles: [] },
  { contents: ['demo', 'live', 'padded:envivio'], profiles: ['dvl'] },
])('nothing else is: %j', (campaign) => refuseFarStreams(campaign, 'c.json'));
