import type { KeyFigures, Figure } from '../../analysis/figures/figure.ts';
import { keyFigures } from '../../analysis/figures/keyFigures.ts';
import { PROTOCOL_NAMES, PROTOCOLS, type Protocol } from '../../analysis/transport/protocol.ts';
import { whyTcp } from '../../analysis/transport/whyTcp.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { byId, html, setText, setTo } from '../dom.ts';
import type { ShownSession, View } from '../session/shownSession.ts';
import { formatPercent, formatCount, formatNumber } from '../../shared/format.ts';
import type { FigureText } from './figureText.ts';
import { formatTransferFigures } from './transferFigures.ts';
import { isStall } from '../../shared/stalls.ts';
import { mbpsFromKbps, secondsFromMs } from '../../shared/units.ts';

/** From cause to effect: what the network allowed stands at the right, in the order the lanes stack it. */
const SHARE_ORDER: readonly Protocol[] = ['h3', 'h2', 'h1', 'unknown'];

/** The row of key figures between start bar and chart panel. */
export function figuresRow(): View {
  const root = byId('figures', HTMLDListElement);
  const cells = new Map(formatFigures(null).map((text) => [text.id, cellOf(text)]));
  const share = shareCell();
  root.replaceChildren(...[...cells.values()].map(({ box }) => box), share.box);
  let session: ShownSession | null = null;
  const update = (): void => {
    const figures = session ? figuresNow(session.series) : null;
    const stalledMs = session?.growing() ? stalledNowMs(session.series) : null;
    const isTransfer = session?.series.scene.isTransfer ?? false;
    const texts = isTransfer ? formatTransferFigures(session!.series) : formatFigures(figures, stalledMs);
    for (const text of texts) cells.get(text.id)?.write(text);
    cells.get('rebuffer')?.box.classList.toggle('stalled', stalledMs !== null);
    share.write(figures, isTransfer);
    share.explain(
      session && !isTransfer ? whyTcp(session.series, session.header().environment.transport) : null,
    );
  };
  update();
  return {
    show(next) {
      session = next;
      update();
    },
    update,
  };
}

function cellOf({ id, label }: FigureText): { box: HTMLElement; write(text: FigureText): void } {
  const title = html('dt', {}, label);
  const value = html('span');
  const unit = html('small');
  const big = html('dd', { class: 'big' }, value, unit);
  const sub = html('dd', { class: 'sub' });
  const box = html('div', { id: `f-${id}`, class: `f-${id}` }, title, big, sub);
  return {
    box,
    write(text) {
      setText(title, text.label);
      setText(value, text.value ?? '–');
      setText(unit, text.value === null ? '' : text.unit);
      setText(sub, text.sub);
      setTo(sub, 'title', text.sub);
      big.classList.toggle('none', text.value === null);
    },
  };
}

interface ShareCell {
  readonly box: HTMLElement;
  write(figures: KeyFigures | null, isTransfer: boolean): void;
  /** Says why media came over h2; null: nothing to say. */
  explain(causes: readonly string[] | null): void;
}

function shareCell(): ShareCell {
  const tcp = html('span');
  const parts = SHARE_ORDER.map((protocol) => partOf(protocol));
  const bar = html('div', { class: 'share', 'aria-hidden': 'true' }, ...parts.map((part) => part.bar));
  const key = html('div', { class: 'share-key' }, ...parts.map((part) => part.key));
  const none = html('span', { class: 'muted' }, 'no media yet');
  key.append(none);
  const name = html('span');
  const title = html('dt', {}, name, tcp);
  const why = html('div', { class: 'sub', id: 'why-not-h3' });
  return {
    box: html('div', { id: 'f-share', class: 'f-share' }, title, html('dd', {}, bar, key, why)),
    write(figures, isTransfer) {
      setText(name, `Protocol share of ${isTransfer ? '' : 'media '}bytes`);
      const total = figures ? PROTOCOLS.reduce((sum, each) => sum + figures.mediaBytes[each], 0) : 0;
      for (const part of parts) part.write(total > 0 ? figures!.mediaBytes[part.protocol] / total : 0);
      bar.classList.toggle('none', total === 0);
      setTo(none, 'hidden', total > 0);
      const share = figures?.tcpShare.value ?? null;
      setText(tcp, share === null ? '' : `; TCP ${formatPercent(share)} of known`);
    },
    explain(causes) {
      const text = causes === null ? '' : `why not h3? ${causes.join('; ')}`;
      setText(why, text);
      setTo(why, 'title', text);
    },
  };
}

function partOf(protocol: Protocol) {
  const bar = html('i', { class: `sw ${protocol}` });
  const percent = html('b');
  const swatch = html('span', { class: `sw ${protocol}` });
  const key = html('span', { class: 'tag' }, swatch, PROTOCOL_NAMES[protocol], ' ', percent);
  return {
    protocol,
    bar,
    key,
    write(fraction: number) {
      for (const part of [bar, key]) setTo(part, 'hidden', fraction === 0);
      setTo(bar.style, 'flexGrow', fraction.toFixed(3));
      setText(percent, fraction < 0.005 ? '< 1 %' : formatPercent(fraction));
    },
  };
}

/**
 * The key figures as people read them; without a session, what each of them will say. `stalledMs`: how long playback has
 * stood still, null while it plays.
 */
export function formatFigures(
  figures: KeyFigures | null,
  stalledMs: number | null = null,
): readonly FigureText[] {
  return [bitrate(figures), buffer(figures), rebuffer(figures, stalledMs), join(figures), qoe(figures)];
}

function stalledNowMs({ open, lastMs }: SessionSeries): number | null {
  const ms = open.stall ? lastMs - open.stall.atMs : 0;
  return isStall(ms) ? ms : null;
}

function bitrate(figures: KeyFigures | null): FigureText {
  const head = { id: 'bitrate', label: 'Bitrate, rendered', unit: 'Mbit/s' } as const;
  if (!figures) return { ...head, value: null, sub: 'what is on screen' };
  const { bitrateNowKbps, bitrateMeanKbps, rungNow, rungCount, heightNow } = figures;
  const mean = fixed(bitrateMeanKbps, mbpsFromKbps, 2);
  const place = [
    rungNow.value === null ? null : `level ${rungNow.value + 1} of ${rungCount}`,
    heightNow.value === null ? null : `${heightNow.value}p`,
  ];
  const known = place.filter((part) => part !== null).join(', ');
  const sub = [known, mean === null ? '' : `mean ${mean}`].filter((part) => part !== '').join('; ');
  return { ...head, ...withReason(bitrateNowKbps, fixed(bitrateNowKbps, mbpsFromKbps, 2), sub) };
}

function buffer(figures: KeyFigures | null): FigureText {
  const head = { id: 'buffer', label: 'Buffer', unit: 's' } as const;
  if (!figures) return { ...head, value: null, sub: 'video ahead of the playhead' };
  const { bufferNowMs, bufferTargetMs, bufferMeanMs, liveLatencyMs } = figures;
  const live = liveLatencyMs === null ? '' : `${secondsFromMs(liveLatencyMs).toFixed(1)} s behind live`;
  const target = fixed(bufferTargetMs, secondsFromMs, 0);
  const mean = fixed(bufferMeanMs, secondsFromMs, 1);
  const parts = [
    live,
    // Close to the live edge no buffer is that long.
    target === null || live !== '' ? '' : `target ${target} s`,
    mean === null || live !== '' ? '' : `mean ${mean} s`,
  ];
  const sub = parts.filter((part) => part !== '').join('; ');
  return { ...head, ...withReason(bufferNowMs, fixed(bufferNowMs, secondsFromMs, 1), sub) };
}

function rebuffer(figures: KeyFigures | null, stalledMs: number | null): FigureText {
  const head = { id: 'rebuffer', label: 'Rebuffer rate', unit: '%' } as const;
  if (!figures) return { ...head, value: null, sub: 'time stalled, of time watched' };
  const { rebufferRate, rebufferMs, stallCount } = figures;
  const stalls = `${secondsFromMs(rebufferMs).toFixed(1)} s in ${formatCount(stallCount, 'stall')}`;
  const value = fixed(rebufferRate, (rate) => rate * 100, 1);
  const now =
    stalledMs === null
      ? ''
      : `stalled for ${secondsFromMs(stalledMs).toFixed(stalledMs < 10_000 ? 1 : 0)} s now; `;
  const sub = stallCount === 0 ? 'no stall' : stalls;
  return { ...head, ...withReason(rebufferRate, value, `${now}${sub}`) };
}

function join(figures: KeyFigures | null): FigureText {
  const head = { id: 'join', label: 'Join time', unit: 's' } as const;
  const sub = 'from Start to the first picture';
  if (!figures) return { ...head, value: null, sub };
  return { ...head, ...withReason(figures.joinMs, fixed(figures.joinMs, secondsFromMs, 2), sub) };
}

function qoe(figures: KeyFigures | null): FigureText {
  const head = { id: 'qoe', label: 'QoE', unit: 'per segment' } as const;
  if (!figures) return { ...head, value: null, sub: 'linear: bitrate − stalls − switches' };
  const mu = fixed(figures.qoeMu, (value) => value, 1)?.replace(/\.0$/, '');
  const sub = mu === undefined ? 'linear' : `linear, µ = ${mu} (top bitrate)`;
  return {
    ...head,
    ...withReason(
      figures.qoePerSegment,
      fixed(figures.qoePerSegment, (v) => v, 2),
      sub,
    ),
  };
}

const withReason = (figure: Figure, value: string | null, sub: string) => ({
  value,
  sub: figure.why ?? sub,
});

function fixed(figure: Figure, convert: (value: number) => number, digits: number): string | null {
  if (figure.value === null) return null;
  return formatNumber(convert(figure.value), digits);
}

let last: { series: SessionSeries; lastMs: number; events: number; figures: KeyFigures } | null = null;

/** The key figures of now, computed once for all views that show some of them. */
export function figuresNow(series: SessionSeries): KeyFigures {
  const { lastMs } = series;
  const events = series.ids.length;
  if (last?.series !== series || last.lastMs !== lastMs || last.events !== events)
    last = { series, lastMs, events, figures: keyFigures(series) };
  return last.figures;
}
