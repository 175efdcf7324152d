import { ok } from '../../shared/result.ts';
import type { SessionFormat } from '../sessionFormat.ts';
import { hasEvents } from './hasEvents.ts';
import { fileHead, traceOf } from './traceOf.ts';

/** JSON Text Sequences (RFC 7464 §2.2): each record between a record separator and a line feed, the header first. */
export const qlogSeq: SessionFormat = {
  id: 'qlog-seq',
  label: 'qlog as JSON text sequence',
  about: 'the same as JSON-SEQ (.sqlog), a record for each event',
  extension: 'sqlog',
  convert: (log) => {
    const records = [{ ...fileHead('JSON-SEQ', log), trace: traceOf(log) }, ...hasEvents(log)];
    return ok({ text: records.map((record) => `\x1e${JSON.stringify(record)}\n`).join(''), notes: [] });
  },
};
