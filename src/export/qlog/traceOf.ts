import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** What stands above the events of a trace (draft-ietf-quic-qlog-main-schema-02, which calls itself 0.3; §3). */
export function traceOf({ id, environment, clock }: SessionLog): object {
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
export const fileHead = (format: 'JSON' | 'JSON-SEQ', { id }: SessionLog): object => ({
  qlog_version: '0.3',
  qlog_format: format,
  title: `Pitwall session ${id}`,
});
