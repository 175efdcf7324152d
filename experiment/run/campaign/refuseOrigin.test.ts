import { expect, test } from 'vitest';
import { refuseOrigin } from './refuseOrigin.ts';

const machine = {
  program: () => null as string | null,
  controller: (name: string) => (name === 'bbr' ? 'the kernel has no TCP controller bbr' : null),
};
const instrumented = { origin: 'instrumented' } as const;

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

test('Caddy needs none of it', () =>
  refuseOrigin({ origin: 'caddy' }, 'c.json', { ...machine, program: () => 'missing' }));
