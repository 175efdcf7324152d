import { PROTOCOL_NAMES } from '../../analysis/transport/protocol.ts';
import { VIDEO } from '../../analysis/timeline/columns.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { mbpsFromKbps, secondsFromMs } from '../../shared/units.ts';
import { byId, html, setText, setTo } from '../dom.ts';
import { ruleLook } from '../../charts/ruleLook.ts';
import { figuresNow } from '../panels/figures.ts';
import type { ShownSession, View } from '../session/shownSession.ts';

/** What plays now, on the picture: rung, buffer, protocol with the pathway where it is chosen, rule. Hidden for a session that does not play. */
export function overlay(): View {
  const root = byId('overlay', HTMLUListElement);
  const height = html('b');
  const rate = html('span');
  const buffer = html('b', { class: 'buffer-s' });
  const swatch = html('span', { class: 'sw unknown' });
  const protocol = html('b');
  const pathway = html('span', { class: 'pathway' });
  const rule = html('span');
  root.replaceChildren(
    html('li', {}, height, rate),
    html('li', {}, 'buffer ', buffer, ' s'),
    html('li', {}, swatch, protocol, pathway),
    html('li', {}, rule),
  );
  let session: ShownSession | null = null;
  const update = (): void => {
    const figures = session?.growing() ? figuresNow(session.series) : null;
    const kbps = figures && figures.bitrateNowKbps.value;
    setTo(root, 'hidden', kbps === null);
    if (!figures || !session || kbps === null) return;
    const { heightNow, bufferNowMs, protocolNow, pathwayNow } = figures;
    setText(
      height,
      shown(heightNow.value, (pixels) => `${pixels}p`),
    );
    setText(rate, `${mbpsFromKbps(kbps).toFixed(1)} Mbit/s`);
    setText(buffer, shown(bufferNowMs.value, (ms) => secondsFromMs(ms).toFixed(1)) || '–');
    const carrier = protocolNow ?? 'unknown';
    setTo(swatch, 'className', `sw ${carrier}`);
    setText(protocol, PROTOCOL_NAMES[carrier]);
    setTo(pathway, 'hidden', pathwayNow === null);
    setText(pathway, pathwayNow === null ? '' : `on ${pathwayNow}`);
    setText(rule, formatRule(session.series));
  };
  return {
    show(next) {
      session = next;
      update();
    },
    update,
  };
}

const shown = (value: number | null, say: (value: number) => string): string =>
  value === null ? '' : say(value);

/** "dash.js dynamic, dash.js BOLA leads": the rule in charge, and which of its parts made the last choice. */
function formatRule({ ruleInUse, rules, decisions }: SessionSeries): string {
  const inCharge = ruleInUse === null ? '' : ruleLook(ruleInUse).label;
  for (let row = decisions.length - 1; row >= 0; row -= 1) {
    if (decisions.columns.lane[row] !== VIDEO) continue;
    const leader = rules[decisions.columns.rule[row]!] ?? '';
    const same = leader === '' || ruleLook(leader).label === inCharge;
    return same ? inCharge : `${inCharge}, ${ruleLook(leader).label} leads`;
  }
  return inCharge;
}
