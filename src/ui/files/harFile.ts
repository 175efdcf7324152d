import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { ShownSession } from '../session/shownSession.ts';

/** The session's requests as HAR 1.2. What writes it is loaded when it is asked for. */
export async function harFile(session: ShownSession): Promise<Blob> {
  const [{ har }, file] = await Promise.all([import('../../export/har/har.ts'), session.file('session')]);
  const made = har.convert(JSON.parse(await file.text()) as SessionLog, { screen: '', fps: null });
  if (!made.ok) throw new Error(made.error);
  return new Blob([made.value.text], { type: 'application/json' });
}
