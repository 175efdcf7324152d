import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { protocolOf } from './protocol.ts';

/** Whether the browser had used h3 with the origin before the session, so that there was nothing to discover. */
export const knewH3 = ({ environment }: Partial<Pick<SessionLog, 'environment'>>): boolean =>
  environment?.visit?.protocols.some((protocol) => protocolOf(protocol) === 'h3') ?? false;
