import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolveComparison, resolvePairs, type Comparison } from './comparison.ts';
import { testWeights } from '../../src/abr/testWeights.testing.ts';
import { EXIT, exitCodeOf } from '../../node/exitCodes.ts';

const asked: Comparison = {
  rules: ['bola'],
  transports: ['h2'],
  browserProfile: 'cold',
  preset: 'experiment',
  seconds: 20,
};

const sessionsOf = async (more: Partial<Comparison>) =>
  (await resolveComparison({ ...asked, ...more })).plan.sessions;

const faultOf = async (more: Partial<Comparison>): Promise<{ sentence: string; code: number }> =>
  resolveComparison({ ...asked, ...more }).then(
    () => ({ sentence: '', code: EXIT.done }),
    (error: Error) => ({ sentence: error.message, code: exitCodeOf(error) }),
  );

describe('the sessions of a comparison', () => {
  it('are every rule over every transport, rules outermost, without a link', async () => {
    const sessions = await sessionsOf({
      rules: ['throughput', 'bola:gp=5', 'fixed:level=1'],
      transports: ['h3-racing', 'h1'],
    });
    expect(sessions.map(({ id, rule, content, link }) => [id, rule, content, link])).toEqual([
      ['throughput-h3-racing', 'throughput', 'demo', null],
      ['throughput-h1', 'throughput', 'demo', null],
      ['bola-gp-5-h3-racing', 'bola:gp=5', 'demo', null],
      ['bola-gp-5-h1', 'bola:gp=5', 'demo', null],
      ['fixed-level-1-h3-racing', 'fixed:level=1', 'demo', null],
      ['fixed-level-1-h1', 'fixed:level=1', 'demo', null],
    ]);
  });

  it('have hosts of at most 63 characters, wherever their weights are', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-nets-of-somebody-with-a-long-name-'));
    try {
      const rules = ['one', 'two'].map((name) => {
        const file = path.join(folder, `${name}.json`);
        writeFileSync(file, JSON.stringify(testWeights()));
        return `pensieve:weights=${file}`;
      });
      const ids = (await sessionsOf({ rules })).map(({ id }) => id);
      expect(new Set(ids).size).toBe(2);
      for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,63}$/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('have ids of their own where two texts are alike but for their signs', async () => {
    const ids = (await sessionsOf({ rules: ['bola:gp=5', 'bola:gp=.5', 'lowest'] })).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(ids[2]).toBe('lowest-h2');
  });

  it('are one for each number of ranges', async () => {
    const sessions = await sessionsOf({ transports: ['h1', 'h3-only'], split: [1, 6] });
    expect(sessions.map(({ transport, split }) => [transport, split])).toEqual([
      ['h1', 1],
      ['h1', 6],
      ['h3-only', 1],
      ['h3-only', 6],
    ]);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(4);
    for (const { id } of sessions) expect(id).toMatch(/^[a-z0-9-]{1,63}$/);
  });

  it('are one for each policy, over TCP, too: every pathway is a server of its own', async () => {
    const steering = ['browser', 'fixed:pathway=tcp'];
    const mpd = 'https://a.example/a.mpd';
    const sessions = await sessionsOf({ mpd, transports: ['h1', 'h3-racing'], steering });
    expect(sessions.map(({ transport, steering }) => [transport, steering])).toEqual([
      ['h1', 'browser'],
      ['h1', 'fixed:pathway=tcp'],
      ['h3-racing', 'browser'],
      ['h3-racing', 'fixed:pathway=tcp'],
    ]);
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(4);
  });

  it('are one for each browser that is named', async () => {
    const browsers = ['chromium', 'firefox'];
    expect((await sessionsOf({ browsers })).map(({ id, browser }) => [id, browser])).toEqual([
      ['bola-h2-chromium', 'chromium'],
      ['bola-h2-firefox', 'firefox'],
    ]);
    expect((await sessionsOf({}))[0]).not.toHaveProperty('browser');
  });

  it('have the controller of the instrumented origin, which no id has', async () => {
    const [session] = await sessionsOf({ origin: 'instrumented', controller: 'reno' });
    expect(session).toMatchObject({ id: 'bola-h2', controller: 'reno' });
  });
});

describe('what cannot be played is a fault of the option', () => {
  it.each<[string, Partial<Comparison>, RegExp]>([
    [
      'a browser without a mode',
      { browsers: ['firefox'], transports: ['h3-migrating'] },
      /^--transports: Firefox /,
    ],
    [
      'a browser that is never warm',
      { browsers: ['firefox'], browserProfile: 'warm' },
      /^--browsers: Firefox /,
    ],
    ['a level above the ladder', { rules: ['fixed:level=99'] }, /^--rules: .*the demo/],
    ['sessions longer than the demo', { seconds: 86_000 }, /^--seconds 86000: The demo is \d+ s long/],
  ])('%s', async (_, more, sentence) =>
    expect(await faultOf(more)).toEqual({ sentence: expect.stringMatching(sentence), code: EXIT.usage }),
  );

  it('a file of weights that is not there', async () =>
    expect((await faultOf({ rules: ['pensieve:weights=gone.json'] })).sentence).toMatch(
      /^--rules: The weights .*gone\.json cannot be read/,
    ));
});

describe('a comparison in pairs', () => {
  const pairsOf = async (more: Partial<Comparison>) => (await resolvePairs({ ...asked, ...more }, 3)).plan;

  it('compares transports where several were asked for, else the first factor that varies', async () => {
    const both = await pairsOf({ rules: ['bola', 'lowest'], transports: ['h2', 'h3-racing'] });
    expect(both.campaign.compare).toBe('transports');
    expect(both.sessions).toHaveLength(12);
    expect(new Set(both.sessions.map(({ design }) => design.pair)).size).toBe(3);
    const { campaign, networks } = await pairsOf({ rules: ['bola', 'lowest'] });
    expect(campaign).toMatchObject({ compare: 'rules', contents: ['demo'], seconds: 20, repeats: 3 });
    expect(networks).toEqual([]);
  });

  it('is refused in one sentence where nothing varies, and where a session cannot be', async () => {
    await expect(pairsOf({})).rejects.toThrow(
      '--pairs 3: Nothing to compare: give two values, as in --transports h2,h3-racing.',
    );
    await expect(pairsOf({ transports: ['h2', 'h1'], seconds: 100 })).rejects.toThrow(/--seconds 100/);
  });
});
