import type { Profile, ProfileStep, Queue, UdpSpell } from '../profile.ts';

const HEAD = ['id', 'down', 'up', 'RTT', 'loss', 'queue', 'steps', 'additions'];

/** Writes the Markdown table of docs/profiles.md. */
export const profileTable = (profiles: readonly Profile[]): string =>
  [HEAD, HEAD.map(() => '---'), ...profiles.map(cellsOf)]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

function cellsOf({ id, steps, repeat, queue, udp = [] }: Profile): string[] {
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
    [...udp.map(formatUdp), ...formatAddress(steps)].join('; '),
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

function formatUdp({ fromMs, untilMs, kbps }: UdpSpell): string {
  const when =
    untilMs === null ? `from ${fromMs / 1000} s on` : `from ${fromMs / 1000} to ${untilMs / 1000} s`;
  return `${kbps === 0 ? 'no UDP' : `UDP at ${kbps} kbit/s`} ${when}`;
}

function formatAddress(steps: readonly ProfileStep[]): string[] {
  const at = steps.flatMap((step, index) => (step.newAddress ? [seconds(steps.slice(0, index))] : []));
  return at.length === 0 ? [] : [`a new address at ${at.join(', ')} s`];
}

const tidy = (value: number): number => Number(value.toPrecision(6));
