import path from 'node:path';
import { logDirOf } from '../../node/logDirOf.ts';

/** Where a session's log lies, seen from a report: a relative address, so that a folder can be moved as a whole. */
export function sessionAddress(folder: string, report: string): (session: string) => string {
  const way = path.relative(path.dirname(path.resolve(report)), logDirOf(path.resolve(folder)));
  const address = way.split(path.sep).map(encodeURIComponent).join('/');
  return (session) => `${address}/${encodeURIComponent(session)}.json`;
}
