import type { Telemetry } from '../../telemetry/shell/telemetry.ts';

/**
 * Whether the log has the end that the element is at. The attribute changes before the event that is recorded (HTML
 * §4.8.11.8), and a page that says "ended" promises a log that says it too.
 */
export function endLogged(telemetry: Pick<Telemetry, 'subscribe'>): () => boolean {
  let logged = false;
  telemetry.subscribe((event) => {
    if (event.kind !== 'playback') return;
    if (event.state === 'ended') logged = true;
    if (event.state === 'playing') logged = false;
  });
  return () => logged;
}
