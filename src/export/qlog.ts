import { ok } from '../shared/result.ts';
import type { SessionFormat } from './sessionFormat.ts';
import { hasEvents } from './qlogEvents.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

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

/** What stands above the events of a trace (draft-ietf-quic-qlog-main-schema-02, which calls itself 0.3; §3). */
function traceOf({ id, environment, clock }: SessionLog): object {
  const { rule, transport, link, browser, dashjsVersion } = environment;
  const reported = { rule, transport, link, browser, 'dash.js': dashjsVersion };
  const described = Object.entries(reported).flatMap(([name, value]) =>
    value === null ? [] : [`${name} ${value}`],
  );
  return {
    title: id,
    description: described.join(', '),
    vantage_point: { name: 'Pitwall', type: 'client' },
    common_fields: {
      // qlog-has: "protocol_type … MUST contain an entry with the value HAS".
      protocol_type: ['HAS'],
      time_format: 'relative',
      reference_time: clock.startedAtUnixMs,
    },
  };
}

/** The first lines of a file: qvis looks for them in its first 1024 characters. */
const fileHead = (format: 'JSON' | 'JSON-SEQ', { id }: SessionLog): object => ({
  qlog_version: '0.3',
  qlog_format: format,
  title: `Pitwall session ${id}`,
});
