import { failed, ok, type Result } from '../../shared/result.ts';
import type { Setup } from './setup.ts';

/** Key-system settings as typed: a JSON object by key-system id, or nothing. */
export function readProtection(text: string): Result<Setup['protection']> {
  if (text.trim() === '') return ok(null);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('Key-system settings: this is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return failed('Key-system settings: this should be an object such as { "com.widevine.alpha": { … } }.');
  const stray = Object.entries(value).find(([, each]) => typeof each !== 'object' || each === null);
  return stray
    ? failed(`Key-system settings: “${stray[0]}” should be an object such as { "serverURL": "https://…" }.`)
    : ok(value as Record<string, unknown>);
}
