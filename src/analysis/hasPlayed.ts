import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/** Whether a first frame ever played: before it nothing can stall. */
export const hasPlayed = ({ events }: SessionLog): boolean =>
  events.some((event) => event.kind === 'playback' && event.state === 'playing');
