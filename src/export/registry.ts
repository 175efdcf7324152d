import { har } from './har.ts';
import { p1203 } from './p1203.ts';
import { qlog, qlogSeq } from './qlog.ts';
import type { SessionFormat } from './sessionFormat.ts';
import type { ExportTable } from './table.ts';
import { buffer, stalls } from './tables/playback.ts';
import { decisions } from './tables/decisions.ts';
import { races, transport } from './tables/transport.ts';
import { requests } from './tables/requests.ts';
import { measures, sessions } from './tables/sessions.ts';
import { steering } from './tables/steering.ts';

/** A file for each session. */
export const sessionFormats: readonly SessionFormat[] = [har, qlog, qlogSeq, p1203];

/** A file for each table, with all sessions in it: what CSV and Parquet are written of. */
export const exportTables: readonly ExportTable[] = [
  sessions,
  measures,
  requests,
  decisions,
  steering,
  buffer,
  stalls,
  races,
  transport,
];
