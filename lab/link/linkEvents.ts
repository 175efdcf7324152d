import type { Limit, PolicedSpell, Profile, ProfileStep } from '../../src/network/profile.ts';
import type { PathMtu } from './link.ts';
import type { Policed } from './linkEnd.ts';

/** What a profile does that Rattan's cells do not: distinguished by `kind`, timed from the profile's zero. */
export type LinkEvent =
  /** The limit of UDP or TCP changes: see `Link.limit`. */
  | { readonly kind: Policed; readonly atMs: number; readonly limit: Limit | null }
  /** The client loses its address and gets no other one yet. */
  | { readonly kind: 'no-address'; readonly atMs: number }
  | { readonly kind: 'new-address'; readonly atMs: number }
  | { readonly kind: 'new-udp-ports'; readonly atMs: number }
  /** null: 1500 bytes. */
  | { readonly kind: 'mtu'; readonly atMs: number; readonly mtu: PathMtu | null };

/** In order of time; endless where a profile that repeats changes addresses, ports or its MTU. */
export function* linkEvents(profile: Profile): Generator<LinkEvent, void> {
  const limits = [...limitEvents('udp', profile.udp), ...limitEvents('tcp', profile.tcp)].sort(
    (a, b) => a.atMs - b.atMs,
  );
  let next = 0;
  for (const change of changeEvents(profile)) {
    for (let each = limits[next]; each && each.atMs <= change.atMs; each = limits[(next += 1)]) yield each;
    yield change;
  }
  yield* limits.slice(next);
}

/** A spell that begins when another ends keeps its limit. */
function limitEvents(kind: Policed, spells: readonly PolicedSpell[] = []): LinkEvent[] {
  const begins = new Set(spells.map(({ fromMs }) => fromMs));
  return spells.flatMap(({ fromMs, untilMs, ...limit }): LinkEvent[] => [
    { kind, atMs: fromMs, limit },
    ...(untilMs === null || begins.has(untilMs) ? [] : [{ kind, atMs: untilMs, limit: null }]),
  ]);
}

/** At the very beginning there is no old address or port to change, and the path may have a small MTU already. */
function* changeEvents({ steps, repeat }: Profile): Generator<LinkEvent, void> {
  if (!steps.some(hasChange)) return;
  let atMs = 0;
  let before: ProfileStep | undefined;
  do {
    for (const step of steps) {
      const mtu = mtuOf(step);
      if (!isSameMtu(mtu, mtuOf(before))) yield { kind: 'mtu', atMs, mtu };
      if (before) yield* changesOf(step, atMs);
      atMs += step.durationMs;
      before = step;
    }
  } while (repeat && !isSteady(steps));
}

const hasChange = ({ newAddress, newUdpPorts, mtuBytes }: ProfileStep): boolean =>
  newAddress === true || newUdpPorts === true || mtuBytes !== undefined;

/** Whether another round changes nothing: one MTU all the time. */
const isSteady = (steps: readonly ProfileStep[]): boolean =>
  steps.every((step) => !step.newAddress && !step.newUdpPorts && isSameMtu(mtuOf(step), mtuOf(steps[0])));

const mtuOf = ({ mtuBytes, mtuBlackHole }: Partial<ProfileStep> = {}): PathMtu | null =>
  mtuBytes === undefined ? null : { bytes: mtuBytes, ...(mtuBlackHole && { blackHole: true }) };

const isSameMtu = (one: PathMtu | null, other: PathMtu | null): boolean =>
  one?.bytes === other?.bytes && (one?.blackHole ?? false) === (other?.blackHole ?? false);

/** What a step begins with, in order of time: the gap before a new address is at most as long as the step. */
function* changesOf(
  { newAddress, newUdpPorts, gapMs = 0 }: ProfileStep,
  atMs: number,
): Generator<LinkEvent, void> {
  if (newAddress && gapMs === 0) yield { kind: 'new-address', atMs };
  if (newAddress && gapMs > 0) yield { kind: 'no-address', atMs };
  if (newUdpPorts) yield { kind: 'new-udp-ports', atMs };
  if (newAddress && gapMs > 0) yield { kind: 'new-address', atMs: atMs + gapMs };
}

/**
 * Does what is due when it is due, one timer at a time: the events may be endless. The wall clock is looked at once, at the
 * start: it may be set while a link is up.
 */
export function playEvents(
  events: Iterator<LinkEvent, void>,
  zeroUnixMs: number,
  act: (event: LinkEvent) => Promise<void>,
): { readonly failed: Promise<string>; stop(): void } {
  const zeroMs = performance.now() - (Date.now() - zeroUnixMs);
  let timer: NodeJS.Timeout | undefined;
  const failed = new Promise<string>((tell) => {
    const wait = (): void => {
      const { value: event } = events.next();
      if (!event) return;
      timer = setTimeout(
        () => {
          act(event).catch((error: unknown) => tell(`the link could not be changed: ${String(error)}`));
          wait();
        },
        Math.max(0, zeroMs + event.atMs - performance.now()),
      );
    };
    wait();
  });
  return { failed, stop: () => clearTimeout(timer) };
}
