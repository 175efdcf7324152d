import * as formats from './formats/index.ts';
import type { TraceFormat } from './traceFormat.ts';

/** Every format a trace may be in, by id: the order of an `import *` is not the same with every bundler. */
export const traceFormats: readonly TraceFormat[] = Object.values(formats).sort((a, b) =>
  a.id < b.id ? -1 : 1,
);
