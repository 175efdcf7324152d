import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../timeline/log.ts';
import { protocolOf } from './protocol.ts';

/**
 * When the first answer over h3 came, ms of session time; null when none ever came. What was asked before is discovery:
 * a browser that knows of no h3 has to use TCP. A browser that used h3 on a visit before has nothing to discover: 0.
 */
export function discoveredMs(log: SessionLog): number | null {
  if (knewH3(log)) return 0;
  const came = eventsOf(log, 'request')
    .filter(({ protocol }) => protocolOf(protocol) === 'h3')
    .map(({ firstByteMs, endMs, atMs }) => firstByteMs ?? endMs ?? atMs);
  return came.length > 0 ? came.reduce((first, ms) => Math.min(first, ms)) : null;
}

/** Whether the browser had used h3 with the origin before the session, so that there was nothing to discover. */
export const knewH3 = ({ environment }: Partial<Pick<SessionLog, 'environment'>>): boolean =>
  environment?.visit?.protocols.some((protocol) => protocolOf(protocol) === 'h3') ?? false;
