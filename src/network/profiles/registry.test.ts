import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { faultsOf, pick } from '../../shared/registry.ts';
import type { Profile, ProfileStep, Queue, PolicedSpell } from '../profile.ts';
import { networkProfiles, profileFamilies } from './registry.ts';

const idsOf = (profiles: readonly Profile[]): string[] => profiles.map(({ id }) => id);
const families = (names: readonly string[]): string[] =>
  names.flatMap((rates) =>
    ['typical', 'large'].flatMap((delay) =>
      ['typical', 'large'].map((loss) => `${rates}-${delay}-delay-${loss}-loss`),
    ),
  );

it('has every profile of the five papers, and ours, each to be picked', () => {
  expect(faultsOf(networkProfiles)).toEqual([]);
  const asked = [
    ...['dh', 'dl', 'dvl', 'udp-limiter', 'udp-block', 'wifi', 'lte', '3g'],
    'udp-firewall',
    ...['tcp-limiter', 'udp-block-60-to-180', 'udp-limiter-60-to-180', 'udp-limiter-queueing'],
    ...['switch-wifi-lte', 'switch-wifi-3g', 'nat-rebinding', 'address-change', 'address-change-gap'],
    ...['mtu-drop', 'mtu-black-hole'],
    ...[3, 5, 7, 10].map((rateMbps) => `constant-${rateMbps}mbps`),
    ...['fixed-5mbps-100ms', 'fixed-5mbps-100ms-1-loss'],
    ...families(['np2b', 'fcc']),
  ];
  expect(idsOf(networkProfiles)).toEqual(asked.sort());
});

describe.each(networkProfiles)('$id', (profile) => {
  const { steps, udp = [], tcp = [] } = profile;
  it('names its source', () => expect(profile.paper).toMatch(/\b20\d\d\b|^Ours: ./));
  it('has steps that can be', () => {
    expect(steps.length).toBeGreaterThan(0);
    expect(steps.filter((step) => !isStep(step))).toEqual([]);
    expect(steps.some(({ downKbps }) => downKbps !== 0)).toBe(true);
  });
  it('begins at the address and ports that the client has', () => {
    expect(steps[0]!.newAddress ?? false).toBe(false);
    expect(steps[0]!.newUdpPorts ?? false).toBe(false);
  });
  it('has no gap but before a new address, and none longer than its step', () => {
    for (const { gapMs = 0, newAddress = false, durationMs } of steps) {
      expect(newAddress || gapMs === 0).toBe(true);
      expect(gapMs).toBeLessThanOrEqual(durationMs);
    }
  });
  it('has a queue of some packets', () => {
    const { queue } = profile;
    expect('bdp' in queue ? queue.bdp > 0 : Number.isInteger(queue.packets) && queue.packets >= 1).toBe(true);
  });
  it.each([
    ['UDP', udp],
    ['TCP', tcp],
  ])('has spells of %s in order, none in another', (_, spells) => {
    expect(spells.filter((spell) => !isSpell(spell))).toEqual([]);
    spells
      .slice(1)
      .forEach(({ fromMs }, at) => expect(spells[at]!.untilMs ?? Infinity).toBeLessThanOrEqual(fromMs));
  });
});

function isStep({ durationMs, downKbps, upKbps, rttMs, lossDown, lossUp }: ProfileStep): boolean {
  const rates = [downKbps, upKbps].every((rate) => rate === null || (Number.isFinite(rate) && rate >= 0));
  const losses = [lossDown, lossUp].every((loss) => loss >= 0 && loss < 1);
  return durationMs > 0 && Number.isFinite(durationMs) && rates && rttMs >= 0 && rttMs < 10_000 && losses;
}

const isSpell = ({ fromMs, untilMs, kbps, upKbps = 1, queueMs = 1 }: PolicedSpell): boolean =>
  fromMs >= 0 && (untilMs === null || untilMs > fromMs) && kbps >= 0 && upKbps > 0 && queueMs > 0;

const named = (id: string): Profile => pick(networkProfiles, id);
const column = <Key extends keyof ProfileStep>(id: string, key: Key) =>
  named(id).steps.map((step) => step[key]);
const meanOf = (values: readonly (number | null)[]): number =>
  values.reduce<number>((sum, value) => sum + value!, 0) / values.length;

describe('the numbers of the papers', () => {
  it.each([
    ['dh', 240, [1152, 896]],
    ['dl', 240, [640, 384, 128, 384]],
    ['dvl', 60, [64, 128, 192, 256, 192, 128]],
  ])('%s keeps each rate for %i s and repeats', (id, keptSeconds, rates) => {
    expect(column(id, 'downKbps')).toEqual(rates);
    expect(new Set(column(id, 'durationMs'))).toEqual(new Set([keptSeconds * 1000]));
    expect(named(id).repeat).toBe(true);
  });

  it('UDP alone is limited to 64 kbit/s, all the time; or gone for 20 s', () => {
    expect(named('udp-limiter').udp).toEqual([{ fromMs: 0, untilMs: null, kbps: 64 }]);
    expect(named('udp-block').udp).toEqual([{ fromMs: 20_000, untilMs: 40_000, kbps: 0 }]);
  });

  it('a limit may queue what it cannot send, and an address may come late', () => {
    expect(named('udp-limiter-queueing').udp).toEqual([
      { fromMs: 0, untilMs: null, kbps: 64, queueMs: 2000 },
    ]);
    expect(column('address-change-gap', 'gapMs')).toEqual([undefined, 3000, 3000]);
    expect(column('address-change', 'gapMs')).toEqual([undefined, undefined, undefined]);
  });

  it('the MTU becomes smaller twice, with and without ICMP', () => {
    expect(column('mtu-drop', 'mtuBytes')).toEqual([undefined, 1390, 1280]);
    expect(column('mtu-drop', 'mtuBlackHole')).toEqual([undefined, undefined, undefined]);
    expect(column('mtu-black-hole', 'mtuBytes')).toEqual([undefined, 1390, 1280]);
    expect(column('mtu-black-hole', 'mtuBlackHole')).toEqual([undefined, true, true]);
  });

  it('limits come and go, or are those of TCP', () => {
    expect(named('udp-limiter-60-to-180').udp).toEqual([{ fromMs: 60_000, untilMs: 180_000, kbps: 64 }]);
    expect(named('udp-block-60-to-180').udp).toEqual([{ fromMs: 60_000, untilMs: 180_000, kbps: 0 }]);
    expect(named('udp-firewall')).toMatchObject({
      repeat: false,
      udp: [{ fromMs: 1500, untilMs: null, kbps: 0 }],
    });
    expect(named('tcp-limiter')).toMatchObject({ tcp: named('udp-limiter').udp });
    expect(named('tcp-limiter').udp).toBeUndefined();
  });

  it.each([
    ['np2b', 1500, 5000, 3062.5],
    ['fcc', 800, 1400, 1100],
  ])('%s has the range and mean that the thesis names', (rates, min, max, mean) => {
    for (const id of families([rates])) {
      const down = column(id, 'downKbps');
      expect([Math.min(...down.map(Number)), Math.max(...down.map(Number)), meanOf(down)]).toEqual([
        min,
        max,
        mean,
      ]);
      expect(new Set(column(id, 'durationMs'))).toEqual(new Set([30_000]));
    }
  });

  it('typical delay and loss go together, one pair per step of the rate', () => {
    const { steps } = named('np2b-typical-delay-typical-loss');
    expect(steps.map(({ rttMs, lossDown }) => [rttMs, Math.round(lossDown * 1e4)])).toEqual(
      [[100, 12], [88, 9], [75, 6], [50, 8], [38, 9], [50, 8], [75, 6], [88, 9]], // prettier-ignore
    );
  });

  it('lists of different length go on side by side, each by itself, until all end at once', () => {
    const { steps } = named('fcc-large-delay-typical-loss');
    expect(steps).toHaveLength(72);
    expect(steps.slice(7, 11).map(({ downKbps, rttMs }) => [downKbps, rttMs])).toEqual(
      [[900, 400], [800, 200], [900, 200], [1100, 400]], // prettier-ignore
    );
    const lossy = column('np2b-large-delay-large-loss', 'lossDown').slice(0, 9);
    expect(lossy.map((loss) => Math.round(1000 * loss))).toEqual([1, 10, 20, 50, 100, 50, 20, 10, 1]);
    expect(column('np2b-large-delay-large-loss', 'rttMs').slice(0, 9)).toEqual(
      [200, 400, 600, 800, 1300, 800, 600, 400, 200], // prettier-ignore
    );
  });

  it.each([
    ['wifi', 5900, 69],
    ['lte', 5400, 128],
    ['3g', 3100, 234],
    ['constant-3mbps', 3000, 10],
    ['constant-10mbps', 10_000, 10],
  ])('%s stays as it is', (id, downKbps, rttMs) =>
    expect(named(id).steps).toMatchObject([{ downKbps, rttMs, lossDown: 0 }]),
  );

  it.each([
    ['switch-wifi-lte', 5400, 128],
    ['switch-wifi-3g', 3100, 234],
  ])('%s changes its network, and with it the address, at the times of Table 4', (id, otherKbps, otherMs) => {
    const { steps, repeat } = named(id);
    let endMs = 0;
    expect(steps.map(({ durationMs }) => (endMs += durationMs / 1000))).toEqual([
      60, 180, 300, 420, 480, 540, 600,
    ]);
    steps.forEach(({ downKbps, rttMs, newAddress = false }, index) =>
      expect([downKbps, rttMs, newAddress]).toEqual(
        index % 2 === 0 ? [5900, 69, index > 0] : [otherKbps, otherMs, true],
      ),
    );
    expect(repeat).toBe(false);
  });
});

describe.each(profileFamilies)('the family $id', ({ id, parameters, profile }) => {
  it('has parameters that can be drawn, each with its unit in its name', () => {
    expect(parameters.length).toBeGreaterThan(0);
    for (const { id: name, min, max, usual, scale, step, count } of parameters) {
      expect(name).toMatch(/[kK]bps$|Ms$|Bytes$|Percent$|Seconds$/);
      expect(min).toBeLessThan(max);
      expect(scale === 'log' ? min > 0 : min >= 0).toBe(true);
      expect(usual).toBeGreaterThanOrEqual(min);
      expect(usual).toBeLessThanOrEqual(max);
      expect(step).toBeGreaterThan(0);
      expect(Number.isInteger(count) && count >= 1).toBe(true);
    }
  });

  it('makes the profile of its name from its usual values, where there is one', () => {
    const values = Object.fromEntries(
      parameters.map(({ id: name, usual, count }) => [name, new Array<number>(count).fill(usual)]),
    );
    const made = profile(values);
    expect(made.steps.filter((step) => !isStep(step))).toEqual([]);
    const known = networkProfiles.find((each) => each.id === id);
    if (known) expect(made).toEqual(known);
  });
});

it('the client changes between the drawn networks, each change so much later', () => {
  const switches = pick(profileFamilies, 'switch-wifi-cellular').profile({
    wifiKbps: [3000],
    wifiRttMs: [40],
    cellularKbps: [2000],
    cellularRttMs: [300],
    laterSeconds: [0, 50, 10, 0.5, 0, 50],
  });
  let endMs = 0;
  expect(
    switches.steps.map(({ durationMs, downKbps, rttMs, newAddress = false }) => [
      ...[(endMs += durationMs) / 1000, downKbps, rttMs, newAddress],
    ]),
  ).toEqual([
    [60, 3000, 40, false],
    [230, 2000, 300, true],
    [310, 3000, 40, true],
    [420.5, 2000, 300, true],
    [480, 3000, 40, true],
    [590, 2000, 300, true],
    [600, 3000, 40, true],
  ]);
  expect(switches.queue).toEqual({ kind: 'droptail', bdp: 1 });
});

it('families have ids of their own', () => expect(faultsOf(profileFamilies)).toEqual([]));

it('docs/networks.md has the tables of just these profiles and families', () => {
  const page = readFileSync(new URL('../../../docs/networks.md', import.meta.url), 'utf8');
  const text = page.slice(page.indexOf('## Profiles'), page.indexOf('## Networks of your own'));
  const cells = (table: string): string[] =>
    table.split('\n').map((line) => line.replace(/\s*\|\s*/g, '|').trim());
  const inText = cells(text).filter((line) => line.startsWith('|') && !line.startsWith('|--'));
  const made = cells([profileTable(networkProfiles), familyTable()].join('\n')).filter(
    (line) => !line.startsWith('|--'),
  );
  expect(inText).toEqual(made);
});

const HEAD = ['id', 'down', 'up', 'RTT', 'loss', 'queue', 'steps', 'additions'];

/** Writes the Markdown table of docs/networks.md. */
const profileTable = (profiles: readonly Profile[]): string =>
  [HEAD, HEAD.map(() => '---'), ...profiles.map(cellsOf)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

/** Writes the Markdown table of the profile families in docs/networks.md: a row for each parameter. */
function familyTable(): string {
  const rows = profileFamilies.flatMap(({ id, parameters }) =>
    parameters.map(({ id: name, min, max, scale, usual, count }) => [
      `\`${id}\``,
      `\`${name}\``,
      `${min} to ${max}`,
      `${scale}${count > 1 ? `, ${count} a network` : ''}`,
      String(usual),
    ]),
  );
  const head = ['family', 'parameter', 'range', 'drawn', 'if not named'];
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function cellsOf({ id, steps, repeat, queue, udp = [], tcp = [] }: Profile): string[] {
  const over = (unit: string, value: (step: ProfileStep) => number | null): string =>
    range(steps.map(value), unit);
  return [
    `\`${id}\``,
    over('kbit/s', ({ downKbps }) => downKbps),
    over('kbit/s', ({ upKbps }) => upKbps),
    over('ms', ({ rttMs }) => rttMs),
    over('%', ({ lossDown, lossUp }) => tidy(100 * Math.max(lossDown, lossUp))),
    formatQueue(queue),
    steps.length === 1
      ? 'constant'
      : `${steps.length} in ${seconds(steps)} s, ${repeat ? 'repeated' : 'once'}`,
    [
      ...udp.map((spell) => formatLimit('UDP', spell)),
      ...tcp.map((spell) => formatLimit('TCP', spell)),
      ...formatChanges(steps),
      ...formatMtus(steps),
    ].join('; '),
  ];
}

/** Formats the range of some values. */
function range(values: readonly (number | null)[], unit: string): string {
  const known = values.filter((value) => value !== null);
  if (known.length < values.length) return 'no limit';
  const [min, max] = [Math.min(...known), Math.max(...known)];
  if (min === max) return min === 0 ? '0' : `${min} ${unit}`;
  return `${min} to ${max} ${unit}`;
}

const formatQueue = (queue: Queue): string =>
  `${queue.kind}, ${'packets' in queue ? `${queue.packets} packets` : `${queue.bdp} BDP`}`;

const seconds = (steps: readonly ProfileStep[]): number =>
  steps.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;

function formatLimit(policed: string, { fromMs, untilMs, kbps, queueMs }: PolicedSpell): string {
  const when =
    untilMs === null ? `from ${fromMs / 1000} s on` : `from ${fromMs / 1000} to ${untilMs / 1000} s`;
  const queue = queueMs === undefined ? '' : ` with a queue of ${queueMs / 1000} s`;
  return `${kbps === 0 ? `no ${policed}` : `${policed} at ${kbps} kbit/s${queue}`} ${when}`;
}

function formatChanges(steps: readonly ProfileStep[]): string[] {
  return (['newAddress', 'newUdpPorts'] as const).flatMap((change) => {
    const at = steps.flatMap((step, index) => (step[change] ? [seconds(steps.slice(0, index))] : []));
    const gapMs = Math.max(...steps.map((step) => step.gapMs ?? 0));
    const gap = gapMs > 0 ? ` after a gap of ${gapMs / 1000} s` : '';
    const words = change === 'newAddress' ? `a new address${gap}` : 'new ports of UDP';
    return at.length === 0 ? [] : [`${words} at ${at.join(', ')} s`];
  });
}

const formatMtus = (steps: readonly ProfileStep[]): string[] =>
  steps.flatMap(({ mtuBytes, mtuBlackHole }, index) => {
    if (mtuBytes === undefined) return [];
    const at = seconds(steps.slice(0, index));
    return [`MTU ${mtuBytes} bytes${mtuBlackHole ? ' without ICMP' : ''} at ${at} s`];
  });

const tidy = (value: number): number => Number(value.toPrecision(6));
