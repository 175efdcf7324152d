import type { KeyFigures } from '../../analysis/figures/figure.ts';
import { PROTOCOL_NAMES, PROTOCOLS, type Protocol } from '../../analysis/transport/protocol.ts';
import { byId } from '../byId.ts';
import { element } from '../element.ts';
import { figuresNow } from '../session/figuresNow.ts';
import type { ShownSession, View } from '../session/shownSession.ts';
import { setText } from '../setText.ts';
import { setTo } from '../setTo.ts';
import { formatFigures, type FigureText } from './formatFigures.ts';
import { formatPercent } from '../../shared/format.ts';

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
    for (const text of formatFigures(figures)) cells.get(text.id)?.write(text);
    share.write(figures);
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
  const value = element('span');
  const unit = element('small');
  const big = element('dd', { class: 'big' }, value, unit);
  const sub = element('dd', { class: 'sub' });
  const box = element('div', { id: `f-${id}`, class: `f-${id}` }, element('dt', {}, label), big, sub);
  return {
    box,
    write(text) {
      setText(value, text.value ?? '–');
      setText(unit, text.value === null ? '' : text.unit);
      setText(sub, text.sub);
      setTo(sub, 'title', text.sub);
      big.classList.toggle('none', text.value === null);
    },
  };
}

function shareCell(): { box: HTMLElement; write(figures: KeyFigures | null): void } {
  const tcp = element('span');
  const parts = SHARE_ORDER.map((protocol) => partOf(protocol));
  const bar = element('div', { class: 'share', 'aria-hidden': 'true' }, ...parts.map((part) => part.bar));
  const key = element('div', { class: 'share-key' }, ...parts.map((part) => part.key));
  const none = element('span', { class: 'muted' }, 'no media yet');
  key.append(none);
  const title = element('dt', {}, 'Protocol share of media bytes', tcp);
  return {
    box: element('div', { id: 'f-share', class: 'f-share' }, title, element('dd', {}, bar, key)),
    write(figures) {
      const total = figures ? PROTOCOLS.reduce((sum, each) => sum + figures.mediaBytes[each], 0) : 0;
      for (const part of parts) part.write(total > 0 ? figures!.mediaBytes[part.protocol] / total : 0);
      bar.classList.toggle('none', total === 0);
      setTo(none, 'hidden', total > 0);
      const share = figures?.tcpShare.value ?? null;
      setText(tcp, share === null ? '' : `; TCP ${formatPercent(share)} of known`);
    },
  };
}

function partOf(protocol: Protocol) {
  const bar = element('i', { class: `sw ${protocol}` });
  const percent = element('b');
  const swatch = element('span', { class: `sw ${protocol}` });
  const key = element('span', { class: 'tag' }, swatch, PROTOCOL_NAMES[protocol], ' ', percent);
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
