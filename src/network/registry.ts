import * as formats from './formats/index.ts';
import type { TraceFormat } from './traceFormat.ts';

/** Every format a trace may be in, in the order of `formats/index.ts`. */
export const traceFormats: readonly TraceFormat[] = Object.values(formats);
