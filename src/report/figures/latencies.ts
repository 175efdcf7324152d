import type { ReportSource } from '../reportSource.ts';
import type { SessionSummary } from '../sessionSummary.ts';
import { BOX_COLUMNS, BOX_WORDS, boxNumbers } from './boxPlots.ts';
import { transportLook } from './data/armLook.ts';
import { boxOf, type Box } from './data/boxOf.ts';
import { pooledRequests } from './data/pooledRequests.ts';
import { rangeOf } from './data/rangeOf.ts';
import type { FigureMaker, ReportFigure } from './figure.ts';
import { boxRows } from './svg/boxRows.ts';
import { logAxis } from './svg/logAxis.ts';
import { withUnit } from './svg/shownUnit.ts';
import { formatInteger } from '../../shared/format.ts';

type Media = 'video' | 'audio';
type Transport = SessionSummary['transport'];

interface Row {
  readonly media: Media;
  readonly transport: Transport;
  readonly requests: number;
  readonly box: Box;
}

const ID = 'response-latencies';
const TITLE = 'Response latency of video and audio';

/** Audio that waits behind video over QUIC is what the 2020 letter found. */
export const latencies: FigureMaker = {
  id: ID,
  label: TITLE,
  place: 40,
  draw(source) {
    const rows = (['video', 'audio'] as const).flatMap((media) => rowsOf(source, media));
    return rows.length > 0 ? figureOf(source, rows) : null;
  },
};

const rowsOf = ({ plan, sessions }: ReportSource, media: Media): Row[] =>
  plan.campaign.transports.flatMap((transport) => {
    const mine = sessions.filter((session) => session.transport === transport);
    const pooled = pooledRequests(
      mine.map(({ latencyMs, requests }) => ({ values: latencyMs[media], requests: requests[media] })),
    );
    const box = boxOf(pooled);
    const requests = mine.reduce((sum, session) => sum + session.requests[media], 0);
    return box ? [{ media, transport, requests, box }] : [];
  });

function figureOf({ sessions }: ReportSource, rows: readonly Row[]): ReportFigure {
  const range = rangeOf(rows.flatMap(({ box }) => [...box.whiskers, ...box.outliers]))!;
  const groups = (['video', 'audio'] as const)
    .map((media) => ({
      label: media,
      rows: rows
        .filter((row) => row.media === media)
        .map(({ transport, box }) => ({ look: transportLook(transport), box })),
    }))
    .filter((group) => group.rows.length > 0);
  const all = rows.reduce((sum, { requests }) => sum + requests, 0);
  const axis = logAxis(range, 'ms');
  return {
    id: ID,
    title: TITLE,
    caption: `From a request’s start to its first byte, all ${formatInteger(all)} requests of all rules together (of a session with more than 99 requests, 99 at equal steps of rank), on a logarithmic axis. ${BOX_WORDS} As figure 9 of the 2020 letter.`,
    svg: boxRows({ id: ID, title: TITLE, axis, axisTitle: withUnit('response latency', 'ms') }, groups),
    columns: ['media', 'transport', 'requests', ...BOX_COLUMNS.map((each) => withUnit(each, 'ms'))],
    rows: rows.map(({ media, transport, requests, box }) => [media, transport, requests, ...boxNumbers(box)]),
    sessions: sessions.map(({ id }) => id),
  };
}
