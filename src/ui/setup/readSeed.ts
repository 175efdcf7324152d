import { failed, ok, type Result } from '../../shared/result.ts';

/** The seed as typed: a whole number from 0; 1 when the field is empty. */
export function readSeed(text: string): Result<number> {
  const typed = text.trim() || '1';
  const seed = /^\d{1,15}$/.test(typed) ? Number(typed) : null;
  return seed === null ? failed(`The seed is a whole number from 0, not “${typed}”.`) : ok(seed);
}
