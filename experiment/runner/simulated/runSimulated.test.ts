import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { formatNotSimulated, isWithoutLosses } from './formatNotSimulated.ts';
import { refuseSimulated } from './refuseSimulated.ts';
import { formatCopies, runSimulated } from './runSimulated.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import { networksOf } from '../../design/networks.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { startingFile } from '../../design/startingFile.ts';
import { valueOf } from '../../../src/shared/result.ts';

const planned = (changes: Partial<CampaignFile>) => {
  const file = { ...startingFile, profiles: ['dvl'], ...changes };
  return valueOf(planCampaign(file, networksOf(file)));
};

const LOSSY = 'np2b-typical-delay-large-loss';

test.each<[string, Partial<CampaignFile>, string]>([
  ['no network', { profiles: [] }, 'c.json: /profiles: The simulator needs the rates of an emulated link'],
  ['another preset', { preset: 'as-shipped' }, 'c.json: /preset: The player model supports only the preset'],
  [
    'a rule that only dash.js has',
    { rules: ['bola', 'dashjs-bola'] },
    'c.json: /rules/1: The rule dashjs-bola runs',
  ],
  [
    'a live stream',
    { contents: ['demo', 'live'] },
    'c.json: /contents/1: The player model does not support live streams.',
  ],
  [
    'BBR',
    { origin: 'instrumented', controllers: ['cubic', 'tcp=reno:quic=bbr'] },
    'c.json: /controllers/1: The player model has Reno and Cubic, not BBR.',
  ],
  [
    'a largest window',
    { origin: 'instrumented', controllers: ['tcp=cubic:quic=cubic-max500'] },
    'c.json: /controllers/0: The player model has no largest window: leave out "-max".',
  ],
  [
    'what runs beside the viewer',
    { origin: 'instrumented', beside: ['alone', 'tcp-cubic'] },
    'c.json: /beside: The player model has the link for itself: play this in the lab, or leave out "beside".',
  ],
  [
    'a segment in ranges',
    { split: [1, 6] },
    'c.json: /split: The player model requests a segment whole: play this in the lab, or leave out "split".',
  ],
  [
    'a browser',
    { browsers: ['chromium', 'firefox'] },
    'c.json: /browsers: The simulator has no browser: play this in the lab, or leave out "browsers".',
  ],
  [
    'another player',
    { players: ['dashjs', 'shaka'] },
    'c.json: /players: The player model is that of dash.js: play other players in the lab, or leave them out.',
  ],
  [
    'a limit of TCP',
    { profiles: ['dvl', 'tcp-limiter'] },
    'c.json: /profiles/1: tcp-limiter limits TCP, which the player model does not have: leave it out.',
  ],
  [
    'a network without UDP, over h3',
    { profiles: ['dvl', 'udp-block'] },
    'c.json: /profiles/1: udp-block blocks UDP, and the player model does not change from h3 to TCP: leave out h3-racing and h3-only.',
  ],
])('%s is refused in a sentence', (_, changes, sentence) => {
  expect(() => refuseSimulated(planned(changes), 'c.json')).toThrow(sentence);
});

test('a dry run refuses what the run would', async () => {
  const file = fileURLToPath(new URL('../../../docs/examples/seeks.campaign.json', import.meta.url));
  await expect(runSimulated({ file, dryRun: true, metrics: [] })).rejects.toThrow(
    '/viewer: The player model has no viewer',
  );
});

test('what can be simulated is not refused', () => {
  refuseSimulated(planned({}), 'c.json');
  const ofDash = planned({ players: ['dashjs'], rules: ['own'] });
  refuseSimulated(ofDash, 'c.json');
  expect(formatNotSimulated(ofDash)).toContain('own is simulated by the rule dynamic');
  refuseSimulated(planned({ profiles: ['udp-block'], transports: ['h1', 'h2'] }), 'c.json');
  const steering = ['browser', 'fixed:pathway=tcp'];
  refuseSimulated(planned({ profiles: ['udp-block', 'udp-limiter'], steering }), 'c.json');
});

test('a limit that queues is refused with steering, and with it alone', () => {
  const steered = planned({ profiles: ['udp-limiter-queueing'], steering: ['browser', 'throughput'] });
  expect(() => refuseSimulated(steered, 'c.json')).toThrow(
    'c.json: /profiles/0: udp-limiter-queueing queues UDP before its limit, and with steering',
  );
  const plan = planned({ profiles: ['udp-limiter-queueing'] });
  refuseSimulated(plan, 'c.json');
  expect(formatNotSimulated(plan)).toContain('a limit of UDP that queues is a path of its rate');
  expect(formatNotSimulated(plan)).not.toContain('h3 stalled');
});

test('bursts of loss are said to be bursts', () => {
  const plan = planned({ profiles: [LOSSY] });
  const [network] = plan.networks;
  const [first] = network!.profile.steps;
  const gilbertDown = { p: 0.01, r: 0.5 };
  const profile = { ...network!.profile, steps: [{ ...first!, lossDown: 0.01 / 0.51, gilbertDown }] };
  const text = formatNotSimulated({ ...plan, networks: [{ ...network!, profile }] });
  expect(text).toContain('bursts of loss are drawn for each connection');
  expect(text).not.toContain('no bursts');
  expect(formatNotSimulated(plan)).toContain('no bursts');
});

test('a block of UDP that never ends is refused with steering, too', () => {
  const plan = planned({ profiles: ['udp-block'], steering: ['browser', 'throughput'] });
  const [network] = plan.networks;
  const profile = { ...network!.profile, udp: [{ fromMs: 20_000, untilMs: null, kbps: 0 }] };
  expect(() => refuseSimulated({ ...plan, networks: [{ ...network!, profile }] }, 'c.json')).toThrow(
    'c.json: /profiles/0: udp-block blocks UDP without an end, and the player model does not change',
  );
});

test('says what the model of steering leaves out, and of a block only where there is one', () => {
  const steering = ['browser', 'throughput'];
  const limited = formatNotSimulated(planned({ profiles: ['udp-limiter'], steering }));
  expect(limited).toContain('no request fails');
  expect(limited).not.toContain('block of UDP');
  expect(formatNotSimulated(planned({ profiles: ['udp-block'], steering }))).toContain('block of UDP');
  expect(formatNotSimulated(planned({ profiles: ['udp-limiter'] }))).not.toContain('no request fails');
});

test('says how far behind a limit of UDP it was from the lab, where h3 meets one', () => {
  const limited = formatNotSimulated(planned({ profiles: ['udp-limiter'] }));
  expect(limited).toContain('what a limit of UDP lets pass at once');
  expect(limited).toContain('h3 stalled for 24 % of the time instead of 32 to 34 %');
  for (const changes of [{ profiles: ['udp-limiter'], transports: ['h1' as const, 'h2' as const] }, {}])
    expect(formatNotSimulated(planned(changes))).not.toMatch(/h3 stalled|limit of UDP/);
});

test('says what is left out', () => {
  const text = formatNotSimulated(planned({ profiles: ['dvl', LOSSY] }));
  expect(text).toContain('dvl without the delay');
  expect(text).toContain(`${LOSSY} without the delay`);
  expect(text).toContain('the same loss rates, not the same lost packets; no bursts');
  expect(text).toContain('within 6 % of the lab over ten pairs');
  expect(text).not.toContain('within 1 % of the lab');
  expect(text).toContain('no discovery over h2, no races');
  expect(text).toContain('dashjs-dynamic is simulated by the rule dynamic');
  expect(formatNotSimulated(planned({}))).not.toMatch(/lost|loss/);
  const instrumented = planned({ origin: 'instrumented', controllers: ['reno', 'cubic'] });
  expect(formatNotSimulated(instrumented)).toContain('senders use reno, cubic with the initial window');
});

test('does not name new ports of UDP where no arm sends over UDP', () => {
  const textOf = (transports: CampaignFile['transports']): string =>
    formatNotSimulated(planned({ profiles: ['nat-rebinding'], transports }));
  expect(textOf(['h1', 'h2'])).not.toContain('ports of UDP');
  expect(textOf(['h2', 'h3-only'])).toContain('new ports of UDP');
});

test('says of logs of a model without losses that they are without', () => {
  const plan = planned({ profiles: ['dvl', LOSSY] });
  const before = { 'sender.initialPackets': 32 };
  expect(isWithoutLosses(plan, () => null)).toBe(false);
  expect(isWithoutLosses(plan, () => ({ ...before, 'sender.lossSeed': 7 }))).toBe(false);
  expect(isWithoutLosses(plan, () => before)).toBe(true);
  // Over networks without loss both models are the same.
  expect(isWithoutLosses(planned({}), () => before)).toBe(false);
  const text = formatNotSimulated(plan, { withoutLosses: true });
  expect(text).toContain(`${LOSSY} without loss (up to 10 %), the delay`);
  expect(text).not.toContain('not the same lost packets');
});

test('pairs differ by their losses, and on other networks by their phase only', () => {
  const repeats: Partial<CampaignFile> = { repeats: 6, phase: 'start', seeds: [1] };
  expect(formatCopies(planned(repeats))).toContain('at most 1 of 6 pairs can differ');
  expect(formatCopies(planned({ ...repeats, profiles: [LOSSY] }))).toBeNull();
});
