import { csv } from './csv.ts';
import { fcc } from './fcc.ts';
import { pitwallTrace, sabre } from './json.ts';
import { mahimahi } from './mahimahi.ts';
import type { TraceFormat } from './traceFormat.ts';
import { cooked, pairs } from './twoColumns.ts';

/** Every format a trace may be in, by id. */
export const traceFormats: readonly TraceFormat[] = [cooked, csv, fcc, mahimahi, pairs, pitwallTrace, sabre];
