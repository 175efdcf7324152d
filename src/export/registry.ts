import { har } from './har/har.ts';
import { p1203 } from './p1203.ts';
import { qlog } from './qlog/qlog.ts';
import { qlogSeq } from './qlog/qlogSeq.ts';
import type { SessionFormat } from './sessionFormat.ts';
import type { ExportTable } from './table.ts';
import { buffer } from './tables/buffer.ts';
import { decisions } from './tables/decisions.ts';
import { measures } from './tables/measures.ts';
import { races } from './tables/races.ts';
import { requests } from './tables/requests.ts';
import { sessions } from './tables/sessions.ts';
import { stalls } from './tables/stalls.ts';
import { transport } from './tables/transport.ts';

/** A file for each session. */
export const sessionFormats: readonly SessionFormat[] = [har, qlog, qlogSeq, p1203];

/** A file for each table, with all sessions in it: what CSV and Parquet are written of. */
export const exportTables: readonly ExportTable[] = [
  sessions,
  measures,
  requests,
  decisions,
  buffer,
  stalls,
  races,
  transport,
];
