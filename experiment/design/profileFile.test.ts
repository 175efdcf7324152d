import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import {
  fileOfProfile,
  looksLikeProfile,
  profileFileName,
  profileOfFile,
  profilePath,
  readProfileFile,
} from './profileFile.ts';
import { notSimulated } from '../../src/network/convertProfile.ts';
import type { Profile } from '../../src/network/profile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { readTrace } from '../../src/network/traces/readTrace.ts';
import { valueOf } from '../../src/shared/result.ts';
import { ProfileFile } from '../../src/telemetry/schema/networkProfile.ts';

const example = readFileSync(new URL('../../docs/examples/train.profile.json', import.meta.url), 'utf8');
const profileFrom = (text: string): Profile =>
  valueOf(profileOfFile(valueOf(readProfileFile(text, 'p.json')), { id: 'p' }));

const step = { durationMs: 1000, downKbps: 2000, rttMs: 50 };
const minimal = { schema: 'pitwall-profile/1', label: 'A path', steps: [step] };
const errorOf = (changes: Record<string, unknown>): string => {
  const result = readProfileFile(JSON.stringify({ ...minimal, ...changes }), 'p.json');
  return result.ok ? 'no error' : result.error;
};
const errorOfStep = (changes: Record<string, unknown>, repeat = true): string =>
  errorOf({ repeat, steps: [{ ...step, ...changes }] });

test('docs/profile.schema.json is what the schema says', async () => {
  const schema = { $schema: 'http://json-schema.org/draft-07/schema#', ...ProfileFile };
  await expect(`${JSON.stringify(schema, null, 1)}\n`).toMatchFileSnapshot('../../docs/profile.schema.json');
});

test('a short file is a path without losses, with a queue of 100 packets, for ever', () => {
  expect(profileFrom(JSON.stringify(minimal))).toEqual({
    id: 'p',
    label: 'A path',
    paper: 'Described in a file: A path',
    repeat: true,
    queue: { kind: 'droptail', packets: 100 },
    steps: [{ durationMs: 1000, downKbps: 2000, upKbps: null, rttMs: 50, lossDown: 0, lossUp: 0 }],
  });
});

test('the example has all that a file can say but traces', () => {
  const { steps, udp, repeat, queue } = profileFrom(example);
  expect(queue).toEqual({ kind: 'droptail', packets: 120 });
  expect(repeat).toBe(false);
  expect(udp).toEqual([{ fromMs: 60_000, untilMs: null, kbps: 300, upKbps: 150, queueMs: 400 }]);
  expect(steps.map(({ rttMs }) => rttMs)).toEqual([60, 180, 180, 90, 90]);
  expect(steps[0]).toMatchObject({ lossDown: 0.002 / 0.502, gilbertDown: { p: 0.002, r: 0.5 } });
  expect(steps[3]).toMatchObject({ newAddress: true, gapMs: 2000 });
  expect(steps[4]).toMatchObject({ newUdpPorts: true, mtuBytes: 1280, mtuBlackHole: true });
  expect(steps[3]).not.toHaveProperty('mtuBytes');
  expect(steps[4]).not.toHaveProperty('newAddress');
  expect(notSimulated(profileFrom(example), { hasQueue: true, hasLoss: true, hasUdp: true })).toEqual([
    'the loss of acknowledgements',
    'the delay that its queue adds to other connections',
    'the rate of the uplink',
    'new addresses of the client',
    'the gap before a new address',
    'new ports of UDP',
    'the MTU of the path',
    'the limit of UDP towards the server',
  ]);
});

describe.each([...networkProfiles, profileFrom(example)])('$id as a file', (profile) => {
  it('is the same profile again', () => {
    const text = JSON.stringify(fileOfProfile(profile));
    expect({ ...profileFrom(text), id: profile.id }).toEqual(profile);
  });
});

describe('a step over a trace', () => {
  const trace = valueOf(readTrace('0 1\n300 2\n600 1\n', { name: 'bus.log' }));
  const profileWith = (given: Record<string, unknown>) => {
    const file = valueOf(readProfileFile(JSON.stringify({ ...minimal, steps: [given, step] }), 'p.json'));
    return profileOfFile(file, { id: 'p', traces: new Map([['bus.log', trace]]) });
  };
  const delay = { oneWayDelayMs: 20, upKbps: 500, newAddress: true, gapMs: 100 };

  it('has the rates of the trace, and all else of itself', () => {
    const { steps } = valueOf(profileWith({ trace: 'bus.log', ...delay }));
    const lengthMs = trace.endMs.at(-1)!;
    expect(steps.slice(0, -1).reduce((sum, { durationMs }) => sum + durationMs, 0)).toBe(lengthMs);
    expect(new Set(steps.slice(0, -1).map(({ downKbps }) => downKbps))).toEqual(new Set(trace.rateKbps));
    expect(steps.slice(0, -1).map(({ rttMs, upKbps }) => [rttMs, upKbps])).toEqual(
      steps.slice(0, -1).map(() => [40, 500]),
    );
    expect(steps.filter(({ newAddress }) => newAddress)).toEqual([steps[0]]);
    expect(steps.at(-1)).toMatchObject({ downKbps: 2000, rttMs: 50 });
  });

  it('takes as much of it as it lasts', () => {
    const { steps } = valueOf(profileWith({ trace: 'bus.log', rttMs: 20, durationMs: 450_000 }));
    expect(steps.slice(0, -1).reduce((sum, { durationMs }) => sum + durationMs, 0)).toBe(450_000);
  });

  it('says what a trace lacks', () => {
    expect(profileWith({ trace: 'bus.log' })).toEqual({
      ok: false,
      error: '/steps/0: The trace bus.log has no round-trip times: give "rttMs" or "oneWayDelayMs".',
    });
    expect(profileWith({ trace: 'bus.log', rttMs: 1, durationMs: 1_700_000 })).toMatchObject({
      ok: false,
      error: expect.stringMatching(
        /^\/steps\/0: The trace bus\.log is \d+ ms long, shorter than the step\.$/,
      ),
    });
  });
});

describe('what is wrong is one sentence with its place', () => {
  it('line and column where it is no JSON', () =>
    expect(readProfileFile('{\n "schema": pitwall }', 'p.json')).toEqual({
      ok: false,
      error: expect.stringMatching(/^p\.json, line 2, column 12: /),
    }));

  it.each<[Record<string, unknown>, string]>([
    [
      { schema: 'pitwall-profile/2' },
      'p.json: /schema should be "pitwall-profile/1", but it is "pitwall-profile/2".',
    ],
    [{ steps: [] }, 'p.json: /steps should be a list of 1 to 100000 entries, but it is [].'],
    [
      { stpes: [] },
      'p.json: /stpes: Unknown field "stpes": did you mean "steps"? Known: schema, label, source, repeat, queue, steps, udp, tcp.',
    ],
    [{ label: undefined }, 'p.json: /label should be text of 1 to 200 characters, but it is missing.'],
    [{ queue: { kind: 'droptail' } }, 'p.json: /queue: Give its length in "packets" or in "bdp".'],
    [
      { queue: { packets: 5, bdp: 1 } },
      'p.json: /queue: Give its length in "packets" or in "bdp", not both.',
    ],
    [{ steps: [{ ...step, downKbps: 0 }] }, 'p.json: /steps: Nothing would ever arrive: each downKbps is 0.'],
    [
      { udp: [{ fromMs: 5, kbps: 0, queueMs: 5 }] },
      'p.json: /udp/0: "kbps": 0 blocks both directions: leave out "upKbps" and "queueMs".',
    ],
    [{ udp: [{ fromMs: 5, untilMs: 5, kbps: 1 }] }, 'p.json: /udp/0: It ends at 5 ms, before it begins.'],
    [
      {
        tcp: [
          { fromMs: 0, untilMs: 9, kbps: 1 },
          { fromMs: 8, kbps: 1 },
        ],
      },
      'p.json: /tcp/1: It begins at 8 ms, before the one before it ends (9 ms).',
    ],
    [
      {
        udp: [
          { fromMs: 0, kbps: 1 },
          { fromMs: 8, kbps: 1 },
        ],
      },
      'p.json: /udp/1: It begins at 8 ms, before the one before it ends (never).',
    ],
    [
      { udp: [{ fromMs: 0, kbsp: 1, kbps: 1 }] },
      'p.json: /udp/0/kbsp: Unknown field "kbsp": did you mean "kbps"? Known: fromMs, untilMs, kbps, upKbps, queueMs.',
    ],
  ])('%j', (changes, sentence) => expect(errorOf(changes)).toBe(sentence));

  it.each<[Record<string, unknown>, string]>([
    [{ rttMs: 'fast' }, '/steps/0/rttMs should be a number from 0 to 9999, but it is "fast".'],
    [{ lossDown: 1 }, '/steps/0/lossDown should be a number from 0 to 0.99, but it is 1.'],
    [{ rttMs: undefined }, '/steps/0: It has no delay: give "rttMs" or "oneWayDelayMs".'],
    [{ oneWayDelayMs: 20 }, '/steps/0: Give "rttMs" or "oneWayDelayMs", not both.'],
    [{ downKbps: undefined }, '/steps/0: It has no rate: give "downKbps" (null: no limit), or a "trace".'],
    [{ trace: 'bus.log' }, '/steps/0: Give "downKbps" or "trace", not both.'],
    [{ durationMs: undefined }, '/steps/0: "durationMs" is missing.'],
    [{ gapMs: 100 }, '/steps/0: "gapMs" is for steps with "newAddress": true.'],
    [{ newAddress: true, gapMs: 1001 }, '/steps/0: Its gap of 1001 ms is longer than the step (1000 ms).'],
    [
      { lossDown: 0.1, gilbertDown: { p: 0.01, r: 0.5 } },
      '/steps/0: Leave out "lossDown": "gilbertDown" loses p/(p+r) = 0.0196078 of the packets.',
    ],
    [{ gilbertUp: { p: 0, r: 0.5 } }, '/steps/0/gilbertUp/p should be a number from 1e-9 to 1, but it is 0.'],
    [
      { gilbertUp: { p: 0.1, r: 0.5, burst: 2 } },
      '/steps/0/gilbertUp/burst: Unknown field "burst"; known: p, r.',
    ],
  ])('of a step: %j', (changes, sentence) => expect(errorOfStep(changes)).toBe(`p.json: ${sentence}`));

  it('of an MTU', () => {
    expect(errorOfStep({ mtuBlackHole: true })).toBe(
      'p.json: /steps/0: "mtuBlackHole" is for steps with "mtuBytes".',
    );
    expect(errorOfStep({ mtuBytes: 575 })).toMatch(/^p\.json: \/steps\/0\/mtuBytes should be .* 576 to 1500/);
    expect(errorOfStep({ mtuBytes: 1400, mtuBlackHole: true })).toBe('no error');
  });

  it('of a change that nobody would see', () => {
    const sentence =
      'p.json: /steps/0: The first step of a profile that does not repeat begins at the address and ports that the client has.';
    expect(errorOfStep({ newAddress: true }, false)).toBe(sentence);
    expect(errorOfStep({ newUdpPorts: true }, false)).toBe(sentence);
    expect(errorOfStep({ newAddress: true }, true)).toBe('no error');
  });
});

test('an entry is a file by its prefix or its ending', () => {
  expect(['file:a/b', 'x/train.json', './t.profile.json'].map(profilePath)).toEqual([
    ...['a/b', 'x/train.json', './t.profile.json'],
  ]);
  expect(['dvl', 'trace:a.json', 'file:', '.json'].map(profilePath)).toEqual([null, null, null, null]);
  expect(['x/Train 2.profile.json', 'C:\\nets\\bus.json', '…json'].map(profileFileName)).toEqual([
    ...['train-2', 'bus', 'json'],
  ]);
  expect(looksLikeProfile(example)).toBe(true);
  expect(looksLikeProfile('[{"duration_ms": 1}]')).toBe(false);
});
