import type { LinkEvent } from './linkEvents.ts';

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
