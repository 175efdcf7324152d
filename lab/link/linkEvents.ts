import type { Profile } from '../../src/network/profile.ts';

/** What a profile does that Rattan's cells do not: distinguished by `kind`, timed from the profile's zero. */
export type LinkEvent =
  /** As for `Link.limitUdp`. */
  | { readonly kind: 'udp'; readonly atMs: number; readonly kbps: number | null }
  | { readonly kind: 'new-address'; readonly atMs: number };

/** In order of time; endless where a profile that repeats changes addresses. */
export function* linkEvents(profile: Profile): Generator<LinkEvent, void> {
  const udp = udpEvents(profile);
  let next = 0;
  for (const address of addressEvents(profile)) {
    for (let each = udp[next]; each && each.atMs <= address.atMs; each = udp[(next += 1)]) yield each;
    yield address;
  }
  yield* udp.slice(next);
}

/** A spell that begins when another ends keeps its limit. */
function udpEvents({ udp = [] }: Profile): LinkEvent[] {
  const begins = new Set(udp.map(({ fromMs }) => fromMs));
  return udp
    .flatMap(({ fromMs, untilMs, kbps }): LinkEvent[] => [
      { kind: 'udp', atMs: fromMs, kbps },
      ...(untilMs === null || begins.has(untilMs)
        ? []
        : [{ kind: 'udp', atMs: untilMs, kbps: null } as const]),
    ])
    .sort((a, b) => a.atMs - b.atMs);
}

/** At the very beginning there is no old address to change. */
function* addressEvents({ steps, repeat }: Profile): Generator<LinkEvent, void> {
  if (!steps.some(({ newAddress }) => newAddress)) return;
  let atMs = 0;
  do {
    for (const { durationMs, newAddress } of steps) {
      if (newAddress && atMs > 0) yield { kind: 'new-address', atMs };
      atMs += durationMs;
    }
  } while (repeat);
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
