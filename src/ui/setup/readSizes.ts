import { failed, ok, type Result } from '../../shared/result.ts';
import type { Setup } from './setup.ts';

/** Where a rule's segment sizes shall come from, as typed: nothing, `none`, `head`, or a file beside the MPD. */
export function readSizes(text: string, mpdUrl: string): Result<Setup['sizes']> {
  const typed = text.trim();
  if (typed === '') return ok('stream');
  if (typed === 'none' || typed === 'head') return ok(typed);
  const url = URL.parse(typed, mpdUrl);
  if (!url || !/^https?:$/.test(url.protocol))
    return failed(`Segment sizes: “${typed}” is neither the address of a file nor “head” or “none”.`);
  return ok({ url: url.href });
}
