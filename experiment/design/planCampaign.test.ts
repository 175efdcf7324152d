import { describe, expect, it, test } from 'vitest';
import type { CampaignFile } from './campaignFile.ts';
import { armOf, armOfAa, commonOf, isAaSession } from '../factors/arms.ts';
import { hashOf } from './drawnNetworks.ts';
import type { PlannedSession } from './plan.ts';
import { planCampaign, plannedPairs } from './planCampaign.ts';
import { startingFile } from './startingFile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { pick } from '../../src/shared/registry.ts';

/** As the starting file was when the hash below was taken: a plan is compared byte for byte. */
const older = ({ marginPercent: _, alpha, compare, per, ...opening }: CampaignFile): CampaignFile => ({
  ...opening,
  margin: 50,
  alpha,
  compare,
  per,
});
const base: CampaignFile = {
  ...older(startingFile),
  rules: ['dashjs-bola', 'bola:gp=5', 'bola:gp=6'],
  contents: ['demo', 'https://cdn.example/vod/a.mpd'],
  profiles: ['dvl', 'switch-wifi-lte'],
  repeats: 2,
};
const networks = ['dvl', 'switch-wifi-lte'].map((name) => ({ name, profile: pick(networkProfiles, name) }));
const planOf = (changes: Partial<CampaignFile> = {}, over = networks) => {
  const plan = planCampaign({ ...base, ...changes }, over);
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
};
const plan = planOf();
const pairs = grouped(plan.sessions);

function grouped(sessions: readonly PlannedSession[]): Map<string, PlannedSession[]> {
  const groups = new Map<string, PlannedSession[]>();
  for (const each of sessions) groups.set(each.design.pair, [...(groups.get(each.design.pair) ?? []), each]);
  return groups;
}

test('sessions that are made pair by pair are those of the plan', () => {
  for (const changes of [{}, { aaSessions: true, seeds: [3, 1, 2] }, { rules: ['bola|bba', 'throughput'] }]) {
    const campaign = { ...base, ...changes };
    const { count, sessions } = plannedPairs(campaign, networks);
    const each = Array.from({ length: count }, (_, place) => sessions(place, place + 1)).flat();
    expect(each).toEqual(planOf(changes).sessions);
    expect(sessions(count - 1, count + 5)).toEqual(sessions(count - 1, count));
  }
});

test('every arm meets every pair once', () => {
  expect(plan.sessions).toHaveLength(3 * 4 * 2 * 2 * 2 * 2);
  expect(pairs.size).toBe(2 * 2 * 2 * 2);
  for (const sessions of pairs.values()) {
    expect(new Set(sessions.map(({ design }) => design.arm)).size).toBe(12);
    expect(sessions.map(({ design }) => design.order)).toEqual([...sessions.keys()]);
  }
});

describe('A/A sessions', () => {
  const aa = planOf({ aaSessions: true });

  test('are one more in each pair, of one of its arms, under the same link', () => {
    expect(aa.sessions).toHaveLength(plan.sessions.length + pairs.size);
    for (const sessions of grouped(aa.sessions).values()) {
      const [again, ...more] = sessions.filter(isAaSession);
      expect(more).toEqual([]);
      const first = sessions.find(({ design }) => design.arm === armOfAa(again!.design.arm))!;
      const { id, design, ...rest } = again!;
      const { id: firstId, design: ofFirst, ...same } = first;
      expect(rest).toEqual(same);
      expect(id).not.toBe(firstId);
      expect(design.cell).toBe(ofFirst.cell.replace(ofFirst.arm, `${ofFirst.arm}/A/A`));
      expect(sessions.map(({ design: each }) => each.order)).toEqual([...sessions.keys()]);
    }
  });

  test('leave id, link and pair of all other sessions as they are', () => {
    const known = new Map(aa.sessions.map((each) => [each.id, each]));
    const placeOf = ({ link, design: { order: _, ...design } }: PlannedSession) => ({ link, design });
    for (const session of plan.sessions) expect(placeOf(known.get(session.id)!)).toEqual(placeOf(session));
  });

  test('are of all arms in turn on each network and content', () => {
    const few = planOf({
      rules: ['bola'],
      transports: ['h1', 'h2'],
      seeds: [1],
      repeats: 4,
      aaSessions: true,
    });
    const arms = new Map<string, string[]>();
    for (const { link, content, design } of few.sessions.filter(isAaSession)) {
      const place = `${link!.network} ${content}`;
      arms.set(place, [...(arms.get(place) ?? []), design.arm]);
    }
    expect(arms.size).toBe(4);
    for (const each of arms.values()) {
      expect(each.filter((arm) => arm === 'bola/h1/A/A')).toHaveLength(2);
      expect(each.filter((arm) => arm === 'bola/h2/A/A')).toHaveLength(2);
    }
  });
});

test('an id is a file name and a DNS label, and hangs on the session alone', () => {
  const ids = plan.sessions.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/);
  const more = planOf({ rules: ['lowest', ...base.rules], repeats: 3, seeds: [7, 1, 2] });
  expect(more.sessions.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
});

test('a session in full', () => {
  const found = plan.sessions.find(({ design }) => design.cell === 'bola:gp=5/h2/dvl/cdn-example-vod-a-mpd');
  expect(found).toMatchObject({
    rule: 'bola:gp=5',
    transport: 'h2',
    content: 'https://cdn.example/vod/a.mpd',
    link: { network: 'dvl', phaseMs: 0, leadInMs: 5000 },
    design: {
      campaign: 'first-campaign',
      pair: 'dvl/cdn-example-vod-a-mpd/0/1',
      arm: 'bola:gp=5/h2',
      repeat: 0,
      seed: 1,
    },
  });
});

describe('controllers', () => {
  const withControllers = { origin: 'instrumented', controllers: ['reno', 'tcp=cubic:quic=bbr'] } as const;
  const { sessions } = planOf({ ...withControllers, controllers: [...withControllers.controllers] });

  it('are a third part of each arm, and every pair has all of them', () => {
    expect(sessions).toHaveLength(2 * plan.sessions.length);
    expect(sessions.find(({ design }) => design.arm === 'bola:gp=5/h2/tcp=cubic:quic=bbr')).toMatchObject({
      rule: 'bola:gp=5',
      transport: 'h2',
      controller: 'tcp=cubic:quic=bbr',
      id: expect.stringMatching(/^bola-gp-5-h2-tcp-cubic-quic-bbr-[a-z0-9-]+$/) as string,
    });
    for (const pair of grouped(sessions).values()) expect(pair).toHaveLength(24);
  });

  it('change nothing of a plan that has none: not even where another origin serves', () => {
    expect(planOf({ origin: 'instrumented' }).sessions).toEqual(plan.sessions);
    expect(JSON.stringify(plan.sessions)).not.toContain('controller');
    // As it was before there were controllers, in the words of version 1: campaigns that have begun go on.
    const text = JSON.stringify(plan)
      .replaceAll(/"pitwall-(plan|campaign)\/2"/g, '"pitwall-$1/1"')
      .replace('docs/campaign-file.md', 'docs/campaigns.md');
    expect(hashOf(text).toString(16)).toBe('28da2433');
  });
});

describe('blocks', () => {
  const five = planOf({ repeats: 5 });
  const { sessions, campaign } = planOf({ repeats: 5, blocks: 2 });

  it('have whole repeats, one after the other', () => {
    expect(campaign.blocks).toBe(2);
    expect(sessions.map(({ design }) => design.block)).toEqual(
      sessions.map(({ design }) => (design.repeat < 3 ? 1 : 2)),
    );
    const order = sessions.map(({ design }) => design.block!);
    expect(order).toEqual(order.toSorted());
  });

  it('change neither ids nor order, and a plan without them has nothing of them', () => {
    const without = sessions.map(({ design: { block: _, ...design }, ...session }) => ({
      ...session,
      design,
    }));
    expect(without).toEqual(five.sessions);
    expect(JSON.stringify(five)).not.toContain('block');
  });

  it('as many as there are repeats are a repeat each', () =>
    expect(new Set(planOf({ repeats: 5, blocks: 5 }).sessions.map(({ design }) => design.block)).size).toBe(
      5,
    ));
});

describe('A/A labels', () => {
  const { sessions } = planOf({ aaLabels: ['a', 'b'], compare: 'aaLabels' });

  it('are each arm twice, alike in everything but the name', () => {
    expect(sessions).toHaveLength(2 * plan.sessions.length);
    for (const pair of grouped(sessions).values())
      for (const one of pair.filter(({ design }) => design.arm.endsWith('/a'))) {
        const arm = one.design.arm.replace(/a$/, 'b');
        const other = pair.find(({ design }) => design.arm === arm)!;
        const cell = one.design.cell.replace('/a/', '/b/');
        const named = { id: other.id, design: { ...one.design, arm, cell, order: other.design.order } };
        expect(other).toEqual({ ...one, ...named });
        expect(other.id).not.toBe(one.id);
      }
  });

  it('beside controllers leave those alone', () =>
    expect(
      planOf({ origin: 'instrumented', controllers: ['reno'], aaLabels: ['a', 'b'] }).sessions[0],
    ).toMatchObject({
      controller: 'reno',
      design: { arm: expect.stringMatching(/\/reno\/[ab]$/) as string },
    }));

  it('of both names are played first as often', () => {
    const first = sessions.filter(({ design }) => design.order === 0);
    const a = first.filter(({ design }) => design.arm.endsWith('/a')).length;
    // Two standard deviations of a fair coin.
    expect(Math.abs(a / first.length - 0.5)).toBeLessThan(1 / Math.sqrt(first.length));
  });
});

describe('browsers', () => {
  const browsers = ['chromium', 'firefox'];
  const both = planOf({ rules: ['bola'], transports: ['h2', 'h3-only'], browsers, compare: 'transports' });

  it('are a part of the arm, and of each session', () => {
    expect(new Set(both.sessions.map(({ design }) => design.arm))).toEqual(
      new Set(['h2', 'h3-only'].flatMap((transport) => browsers.map((id) => `bola/${transport}/${id}`))),
    );
    for (const session of both.sessions) {
      expect(session.browser).toBe(session.design.arm.split('/')[2]);
      expect(armOf(session)).toBe(session.design.arm);
    }
  });

  it('are compared over the same transport only, and transports in the same browser', () => {
    const keys = (compare: CampaignFile['compare']): number =>
      new Set(both.sessions.map((session) => commonOf({ compare }, session))).size;
    expect([keys('transports'), keys('browsers'), keys('rules')]).toEqual([2, 2, 4]);
  });

  it('leave a plan that names none as it was', () => expect(JSON.stringify(plan)).not.toContain('browser'));
});

describe('the link', () => {
  it('is the same for all arms of a pair, and another one for each pair', () => {
    const links = [...pairs.values()].map((sessions) => {
      const [first, ...others] = sessions.map(({ link }) => JSON.stringify(link));
      for (const other of others) expect(other).toBe(first);
      return first;
    });
    expect(new Set(links).size).toBe(links.length);
  });

  it('begins at a drawn phase where asked, if its profile comes round', () => {
    const phases = planOf({ phase: 'drawn' }).sessions.map(({ link }) => link!);
    const drawn = phases.filter(({ network }) => network === 'dvl').map(({ phaseMs }) => phaseMs);
    expect(new Set(drawn).size).toBe(8);
    expect(Math.max(...drawn)).toBeLessThan(360_000);
    expect(
      phases.find(({ network, phaseMs }) => network === 'switch-wifi-lte' && phaseMs !== 0),
    ).toBeUndefined();
  });

  it('is null without profiles', () => {
    const [session] = planOf({ profiles: [] }, []).sessions;
    expect(session).toMatchObject({ link: null, design: { pair: 'no-link/demo/0/1' } });
  });
});

describe('the seed', () => {
  const jsonOf = (changes: Partial<CampaignFile>) => JSON.stringify(planOf(changes));
  const orders = (seed: number) => planOf({ seeds: [seed] }).sessions.map(({ design }) => design.arm);

  it('gives the same plan, byte for byte', () => expect(jsonOf({ seeds: [7] })).toBe(jsonOf({ seeds: [7] })));

  it('gives another order, other losses and other ids when it is another', () => {
    expect(orders(8)).not.toEqual(orders(7));
    const [a, b] = [planOf({ seeds: [7] }), planOf({ seeds: [8] })];
    expect(a.sessions.map(({ link }) => link!.seed)).not.toEqual(b.sessions.map(({ link }) => link!.seed));
    const ids = new Set(a.sessions.map(({ id }) => id));
    expect(b.sessions.some(({ id }) => ids.has(id))).toBe(false);
  });

  it('draws each place in the order as often as any other', () => {
    const seeds = Array.from({ length: 400 }, (_, seed) => seed);
    const { sessions } = planOf({ rules: ['bola'], contents: ['demo'], profiles: [], seeds, repeats: 1 }, []);
    const counts = [0, 0, 0, 0];
    for (const { transport, design } of sessions) if (transport === 'h1') counts[design.order]! += 1;
    // Binomial with 400 tries at 1/4: mean 100, standard deviation 8.7.
    for (const count of counts) expect(Math.abs(count - 100)).toBeLessThan(35);
  });
});

test('warm browsers play other sessions of the same pairs', () => {
  const [cold, warm] = [planOf({ browserProfile: 'cold' }), planOf({ browserProfile: 'warm' })];
  expect(cold.sessions).toEqual(plan.sessions);
  expect(warm.sessions.map(({ id: _, ...rest }) => rest)).toEqual(
    plan.sessions.map(({ id: _, ...rest }) => rest),
  );
  const ids = new Set(plan.sessions.map(({ id }) => id));
  expect(warm.sessions.filter(({ id }) => ids.has(id))).toEqual([]);
});

describe('what networks have in turn', () => {
  const names = ['3g', 'dl', 'dvl', 'lte', 'wifi', 'dh', 'udp-limiter', 'udp-block'];
  const eight = names.map((name) => ({ name, profile: pick(networkProfiles, name) }));
  const inTurn = planOf({ rules: ['bola|bba'], browserProfile: 'in-turn', contents: ['demo'] }, eight);
  const of = (name: string): PlannedSession[] => inTurn.sessions.filter(({ link }) => link?.network === name);

  test('rules: all sessions of a network have the same, and arms are named after the entry', () => {
    expect(names.map((name) => [...new Set(of(name).map(({ rule }) => rule))])).toEqual(
      names.map((_, place) => [place % 2 === 0 ? 'bola' : 'bba']),
    );
    expect(new Set(inTurn.sessions.map(({ design }) => design.arm))).toEqual(
      new Set(base.transports.map((transport) => `bola|bba/${transport}`)),
    );
    expect(inTurn.sessions.every((session) => armOf(session) === session.design.arm)).toBe(true);
  });

  test('browsers: each rule has as many cold as warm ones', () =>
    expect(names.map((name) => [...new Set(of(name).map((session) => session.browserProfile))])).toEqual(
      [0, 0, 1, 1, 0, 0, 1, 1].map((warm) => [warm ? 'warm' : 'cold']),
    ));
});

describe('steering', () => {
  const steering = ['browser', 'throughput', 'fixed:pathway=tcp'];
  const steered = planOf({ rules: ['bola'], transports: ['h2', 'h3-racing'], steering, compare: 'steering' });

  test('is played by sessions over QUIC; those over TCP have one policy', () =>
    expect(new Set(steered.sessions.map(({ design }) => design.arm))).toEqual(
      new Set([
        'bola/h2/browser',
        'bola/h3-racing/browser',
        'bola/h3-racing/throughput',
        'bola/h3-racing/fixed:pathway=tcp',
      ]),
    ));
});

describe('what runs beside the viewer', () => {
  const beside = ['alone', 'tcp-cubic:flows=4'];
  const over = networks.slice(0, 1);
  const shared = planOf({ rules: ['bola'], transports: ['h2', 'h3-only'], beside }, over);

  test('is a part of the arm, and of each session', () => {
    expect(new Set(shared.sessions.map(({ design }) => design.arm))).toEqual(
      new Set(['h2', 'h3-only'].flatMap((transport) => beside.map((load) => `bola/${transport}/${load}`))),
    );
    for (const session of shared.sessions) {
      expect(session.beside).toBe(session.design.arm.split('/')[2]);
      expect(armOf(session)).toBe(session.design.arm);
    }
  });

  test('stands before an A/A label', () => {
    const labelled = planOf({ beside, aaLabels: ['a', 'b'], compare: 'aaLabels' }, over);
    expect(labelled.sessions[0]!.design.arm).toMatch(/\/(alone|tcp-cubic:flows=4)\/[ab]$/);
  });

  test('transports are compared beside the same flows only, and flows over the same transport', () => {
    const keys = (compare: CampaignFile['compare']): number =>
      new Set(shared.sessions.map((session) => commonOf({ compare }, session))).size;
    expect([keys('transports'), keys('beside'), keys('rules')]).toEqual([2, 2, 4]);
  });

  test('flows of TCP do not survive a new address, which is refused in a sentence', () => {
    const moving = [{ name: 'address-change', profile: pick(networkProfiles, 'address-change') }];
    const planned = (load: string) => planCampaign({ ...base, beside: ['alone', load] }, moving);
    expect(planned('quic-cubic').ok).toBe(true);
    expect(planned('quic-cubic+tcp-cubic')).toEqual({
      ok: false,
      error:
        '/beside/1: The network address-change gives the client new addresses, which ends flows of TCP: use flows of QUIC, or another network.',
    });
  });
});

describe('the ranges of a segment', () => {
  const split = [1, 6];
  const planned = planOf({ rules: ['bola'], transports: ['h1', 'h3-only'], split }, networks.slice(0, 1));

  test('are a part of the arm, and a number of each session', () => {
    expect(new Set(planned.sessions.map(({ design }) => design.arm))).toEqual(
      new Set(
        ['h1', 'h3-only'].flatMap((transport) => split.map((count) => `bola/${transport}/split-${count}`)),
      ),
    );
    for (const session of planned.sessions) {
      expect(`split-${session.split}`).toBe(session.design.arm.split('/')[2]);
      expect(armOf(session)).toBe(session.design.arm);
    }
  });

  test('are compared over the same transport, and transports with the same ranges', () => {
    const keys = (compare: CampaignFile['compare']): number =>
      new Set(planned.sessions.map((session) => commonOf({ compare }, session))).size;
    expect([keys('transports'), keys('split'), keys('rules')]).toEqual([2, 2, 4]);
  });
});

test('two traces of one name are refused in a sentence', () => {
  const twice = planCampaign(base, [networks[0]!, networks[0]!]);
  expect(twice).toEqual({
    ok: false,
    error:
      'Two networks or two sessions of the campaign have the same name: dvl. Name one of them otherwise, or use other seeds.',
  });
});
