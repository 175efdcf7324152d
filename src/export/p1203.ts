import { p1203Input } from '../analysis/p1203Input.ts';
import { failed, ok, type Result } from '../shared/result.ts';
import type { FormatOptions, SessionFormat } from './sessionFormat.ts';

/** Input for the public implementation of ITU-T P.1203 in mode 0 (`../analysis/p1203`). */
export const p1203: SessionFormat = {
  id: 'p1203',
  label: 'ITU-T P.1203 input',
  about: 'input for the public implementation of ITU-T P.1203, JSON; takes --screen and --fps',
  extension: 'p1203.json',
  convert(log, options) {
    const faulty = faultOf(options);
    if (!faulty.ok) return faulty;
    const made = p1203Input(log, { device: 'pc', displaySize: options.screen, fps: options.fps });
    if (!made.ok) return made;
    return ok({ text: `${JSON.stringify(made.value.input, null, 1)}\n`, notes: made.value.notes });
  },
};

function faultOf({ screen, fps }: FormatOptions): Result<null> {
  if (!/^[1-9]\d{1,4}x[1-9]\d{1,4}$/.test(screen))
    return failed(`--screen takes a width and a height in pixels, as in 1920x1080, not "${screen}".`);
  if (fps !== null && !(fps > 0 && fps <= 1000)) return failed('--fps takes a number above 0, up to 1000.');
  return ok(null);
}
