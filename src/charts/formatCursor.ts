import { lastRow, rowAfter, valueAt } from '../analysis/timeline/table.ts';
import type { SessionSeries } from '../analysis/timeline/series.ts';
import { PROTOCOL_NAMES, protocolFrom } from '../analysis/transport/protocol.ts';
import { primaryLane, lastRequest } from './requestRows.ts';
import { ruleLook } from './ruleLook.ts';
import { formatNumber, formatClock } from '../shared/format.ts';

/** What the crosshair reads out: time, bitrate, buffer, protocol and choice, in words a screen reader can say. */
export function formatCursor(series: SessionSeries, atMs: number): string {
  const lane = primaryLane(series);
  const { switches, decisions, requests } = series;
  const seen = lastRow(
    switches,
    atMs,
    (row) => switches.columns.rendered[row] === 1 && switches.columns.lane[row] === lane,
  );
  const kbps = valueAt(switches.columns.bitrateKbps, seen);
  const level = series.buffer[lane === 1 ? 'audio' : 'video'];
  const bufferMs = valueAt(level.columns.levelMs, rowAfter(level, atMs) - 1);
  const request = lastRequest(series, atMs, lane);
  const protocol =
    request === -1 ? 'no request' : PROTOCOL_NAMES[protocolFrom(requests.columns.protocol[request]!)];
  const said = [
    `${formatClock(atMs)}.`,
    kbps === null ? 'Nothing rendered yet,' : `Rendered ${formatNumber(kbps / 1000, 2)} megabit per second,`,
    bufferMs === null ? 'buffer unknown,' : `buffer ${formatNumber(bufferMs / 1000, 1)} seconds,`,
    `protocol ${protocol}.`,
  ];
  const decision = lastRow(decisions, atMs, (row) => decisions.columns.lane[row] === lane);
  if (decision === -1) return said.join(' ');
  const rung = valueAt(decisions.columns.rung, decision);
  const rule = ruleLook(series.rules[decisions.columns.rule[decision]!] ?? '').label;
  return [...said, rung === null ? `No choice by ${rule}.` : `Level ${rung + 1} chosen by ${rule}.`].join(
    ' ',
  );
}
