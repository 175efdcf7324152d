import type { Command } from 'commander';
import { print } from '../node/print.ts';
import { option, withOptions } from './declareOptions.ts';
import type { Shell } from './shell.ts';
import { fileOfProfile } from '../experiment/design/profileFile.ts';
import { profileNamed } from '../experiment/simulate/traceFiles.ts';
import { columnsNow, fittedTable } from '../node/fittedTable.ts';
import { textTable } from '../node/textTable.ts';
import {
  type Gilbert,
  type PolicedSpell,
  type Profile,
  type ProfileStep,
  queuePackets,
} from '../src/network/profile.ts';
import { networkProfiles } from '../src/network/profiles/registry.ts';
import { formatCount } from '../src/shared/format.ts';

export function addProfiles(program: Command, shell: Shell): void {
  void shell;
  const command = program
    .command('profiles')
    .description('print the network profiles, or the steps and the mean rate of one (docs/networks.md)')
    .argument('[profile]', 'the id of a profile, or the .json file of one of your own');
  withOptions(
    command,
    'output',
    option('--json', 'print the profile as a file, to begin one of your own with'),
  ).action(async (entry: string | undefined, { json }: { json?: boolean }) => {
    if (entry === undefined) return print(formatList(networkProfiles));
    const profile = await profileNamed(entry, 'profiles');
    return print(json ? JSON.stringify(fileOfProfile(profile), null, 2) : formatProfile(profile));
  });
}

const formatList = (profiles: readonly Profile[]): string =>
  textTable([['profile', 'network'], ...profiles.map(({ id, label }) => [id, label])]);

/** Greatest count of steps that are shown: more steps say nothing new on a screen. */
const MAX_STEPS = 24;

/** Formats what a profile does, for people: its path, its steps and its mean rate, its limits. */
function formatProfile(profile: Profile): string {
  const { id, label, paper, steps, repeat, udp = [], tcp = [] } = profile;
  const lengthMs = steps.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const end = repeat ? 'then again from the start' : 'then as the last step';
  const more = steps.length - MAX_STEPS;
  return [
    `${id}: ${label}`,
    `source: ${paper}`,
    `queue: ${formatQueue(profile)}`,
    `${formatCount(steps.length, 'step')} in ${seconds(lengthMs)} s, ${end}; mean rate ${formatMean(steps)}`,
    '',
    stepTable(steps.slice(0, MAX_STEPS)),
    ...(more > 0 ? [`… and ${more} more; --json prints all`] : []),
    ...udp.map((spell) => formatSpell('UDP', spell)),
    ...tcp.map((spell) => formatSpell('TCP', spell)),
  ].join('\n');
}

function formatQueue(profile: Profile): string {
  const { queue } = profile;
  const ways = (['down', 'up'] as const).flatMap((way) => {
    const packets = queuePackets(profile, way);
    return packets === null ? [] : [`${formatCount(packets, 'packet')} ${way}`];
  });
  const bdp = 'bdp' in queue ? `${queue.bdp} BDP, ` : '';
  return `${queue.kind}, ${bdp}${ways.join(', ') || 'unused: no direction has a rate'}`;
}

/** Formats the mean rate of the downlink, weighted by time. */
function formatMean(steps: readonly ProfileStep[]): string {
  let bits = 0;
  let lengthMs = 0;
  for (const { downKbps, durationMs } of steps) {
    if (downKbps === null) return 'without limit';
    bits += downKbps * durationMs;
    lengthMs += durationMs;
  }
  return `${tidy(bits / lengthMs)} kbit/s`;
}

function stepTable(steps: readonly ProfileStep[]): string {
  let atMs = 0;
  const rows = steps.map((step) => {
    const fromMs = atMs;
    atMs += step.durationMs;
    return [
      ...[
        seconds(fromMs),
        seconds(atMs),
        formatRate(step.downKbps),
        formatRate(step.upKbps),
        tidy(step.rttMs),
      ],
      ...[formatLoss(step.lossDown, step.gilbertDown), formatLoss(step.lossUp, step.gilbertUp)],
      formatChange(step),
    ];
  });
  const head = ['from s', 'to s', 'down kbit/s', 'up kbit/s', 'RTT ms', 'loss down', 'loss up', 'change'];
  // Empty columns are left out.
  const used = head.map((_, column) => column < 5 || rows.some((row) => !['', '0'].includes(row[column]!)));
  const kept = (row: readonly string[]): string[] => row.filter((_, column) => used[column]);
  return fittedTable({ head: kept(head), rows: rows.map(kept), names: 2 }, columnsNow());
}

const formatRate = (kbps: number | null): string => (kbps === null ? 'no limit' : tidy(kbps));

const formatLoss = (share: number, gilbert: Gilbert | undefined): string => {
  const percent = share === 0 ? '0' : `${tidy(100 * share)} %`;
  return gilbert ? `${percent} in bursts of ${tidy(1 / gilbert.r)}` : percent;
};

const formatChange = ({ newAddress, newUdpPorts, gapMs = 0, mtuBytes, mtuBlackHole }: ProfileStep): string =>
  [
    ...(newAddress ? [gapMs > 0 ? `new address after ${seconds(gapMs)} s` : 'new address'] : []),
    ...(newUdpPorts ? ['new ports of UDP'] : []),
    ...(mtuBytes === undefined ? [] : [`MTU ${mtuBytes} bytes${mtuBlackHole ? ', no ICMP' : ''}`]),
  ].join(', ');

function formatSpell(transport: string, { fromMs, untilMs, kbps, upKbps, queueMs }: PolicedSpell): string {
  const when =
    untilMs === null ? `from ${seconds(fromMs)} s on` : `from ${seconds(fromMs)} to ${seconds(untilMs)} s`;
  if (kbps === 0) return `${transport}: none ${when}`;
  const up = upKbps === undefined ? '' : ` down and ${tidy(upKbps)} kbit/s up`;
  const how =
    queueMs === undefined ? 'what exceeds it is dropped' : `a queue of at most ${seconds(queueMs)} s`;
  return `${transport}: ${tidy(kbps)} kbit/s${up} ${when}, ${how}`;
}

const seconds = (ms: number): string => tidy(ms / 1000);
const tidy = (value: number): string => String(Number(value.toPrecision(5)));
