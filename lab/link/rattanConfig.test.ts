import { describe, expect, it } from 'vitest';
import type { Profile } from '../../src/network/profile.ts';
import { rattanConfig } from './rattanConfig.ts';

const step = { durationMs: 30_000, downKbps: 1500, upKbps: null, rttMs: 100, lossDown: 0.0012, lossUp: 0.01 };
const profile: Profile = {
  id: 'test',
  label: 'Test',
  paper: 'none',
  steps: [step, { ...step, durationMs: 250.5, downKbps: 0, rttMs: 75, lossDown: 1 }],
  repeat: true,
  queue: { kind: 'droptail', bdp: 2 },
};
const files = (changes: Partial<Profile> = {}) =>
  rattanConfig({ ...profile, ...changes }, { folder: '/run/link', seed: 21 });
const json = (name: string, changes: Partial<Profile> = {}): unknown =>
  JSON.parse(files(changes)[name] ?? '');

describe('rattanConfig', () => {
  it('writes a cell table each for rate, delay and loss, joined in order', () =>
    expect(files()['link.toml']).toBe(`[env]
mode = "Isolated"

[cells.down-rate]
type = "BwReplay"
queue = "DropTail"
trace = "/run/link/down-rate.json"

[cells.down-rate.queue_config]
packet_limit = 25

[cells.down-delay]
type = "DelayReplay"
trace = "/run/link/down-delay.json"

[cells.down-loss]
type = "LossReplay"
trace = "/run/link/down-loss.json"
seed = 42

[cells.up-delay]
type = "DelayReplay"
trace = "/run/link/up-delay.json"

[cells.up-loss]
type = "LossReplay"
trace = "/run/link/up-loss.json"
seed = 43

[links]
right = "down-rate"
down-rate = "down-delay"
down-delay = "down-loss"
down-loss = "left"
left = "up-delay"
up-delay = "up-loss"
up-loss = "right"

[resource]
cpu = [0]

[general]

[commands]
left = ["sh","-c","echo \\"pitwall: client $$\\"; exec setpriv --pdeathsig KILL sleep infinity"]
right = ["sh","-c","echo \\"pitwall: server $$\\"; exec setpriv --pdeathsig KILL sleep infinity"]
`));

  it('changes rate, delay and loss at the same times, for ever; an outage keeps a trickle', () => {
    expect(json('down-rate.json')).toEqual({
      RepeatedBwPatternConfig: {
        pattern: [
          { StaticBwConfig: { bw: '1500000bps', duration: '30000000us' } },
          { StaticBwConfig: { bw: '100bps', duration: '250500us' } },
        ],
        count: 0,
      },
    });
    expect(json('down-delay.json')).toEqual({
      RepeatedDelayPatternConfig: {
        pattern: [
          { StaticDelayConfig: { delay: '50000us', duration: '30000000us' } },
          { StaticDelayConfig: { delay: '37500us', duration: '250500us' } },
        ],
        count: 0,
      },
    });
    expect(json('up-loss.json')).toEqual({
      RepeatedLossPatternConfig: {
        pattern: [
          { StaticLossConfig: { loss: [0.01], duration: '30000000us' } },
          { StaticLossConfig: { loss: [0.01], duration: '250500us' } },
        ],
        count: 0,
      },
    });
  });

  it('loses in bursts, by the pattern of Rattan', () =>
    expect(json('down-loss.json', { steps: [{ ...step, gilbertDown: { p: 0.02, r: 0.25 } }] })).toMatchObject(
      {
        RepeatedLossPatternConfig: { pattern: [{ StaticLossConfig: { loss: [0.02, 0.75] } }] },
      },
    ));

  it('stays at the last step of a profile that runs once', () =>
    expect(json('down-loss.json', { repeat: false })).toMatchObject({
      RepeatedLossPatternConfig: {
        pattern: [{}, { StaticLossConfig: { loss: [1], duration: '31622400000000us' } }],
        count: 1,
      },
    }));

  it('has no rate file for a direction without a limit', () => {
    expect(Object.keys(files())).not.toContain('up-rate.json');
    expect(files({ steps: [step, { ...step, upKbps: 500 }] })['up-rate.json']).toContain(
      '"bw":"100000000000bps"',
    );
  });

  it('asks for CoDel by its name', () =>
    expect(files({ queue: { kind: 'codel', packets: 7 } })['link.toml']).toContain(
      'queue = "CoDel"\ntrace = "/run/link/down-rate.json"\n\n[cells.down-rate.queue_config]\npacket_limit = 7\n',
    ));
});
