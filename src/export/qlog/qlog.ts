import { ok } from '../../shared/result.ts';
import type { SessionFormat } from '../sessionFormat.ts';
import { hasEvents } from './hasEvents.ts';
import { fileHead, traceOf } from './traceOf.ts';

/** One JSON document with one trace. */
export const qlog: SessionFormat = {
  id: 'qlog',
  label: 'qlog',
  about: 'events in the vocabulary of qlog-has, one JSON document (qlog 0.3), for qvis and the like',
  extension: 'qlog',
  convert: (log) => {
    const trace = JSON.stringify(traceOf(log)).slice(0, -1);
    const events = hasEvents(log).map((event) => JSON.stringify(event));
    const head = JSON.stringify(fileHead('JSON', log)).slice(0, -1);
    // Event by event a line, so that a long session is readable and diffable.
    return ok({ text: `${head},"traces":[${trace},"events":[\n${events.join(',\n')}\n]}]}\n`, notes: [] });
  },
};
