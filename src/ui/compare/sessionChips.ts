import type { ComparedSession, Comparison } from '../../charts/compare/compareLane.ts';
import { sharedLine } from '../../charts/compare/sessionLines.ts';
import { letterMark } from '../../charts/shell/compare/compareLaneView.ts';
import { html, svg } from '../dom.ts';
import type { OpenSession } from './openLogs.ts';
import { formatCount, formatNumber } from '../../shared/format.ts';
import { protocolsOfMode } from '../../telemetry/transportModes.ts';

export interface ChipActions {
  onReference(place: number): void;
  /** A session is looked at, or no longer. */
  onChoose(place: number | null): void;
  onClose(place: number): void;
}

/** The key: a session each, with its rule and transport in their colours, and the numbers people ask for first. */
export const sessionChips = (
  sessions: readonly OpenSession[],
  comparison: Comparison,
  actions: ChipActions,
): HTMLElement[] =>
  comparison.sessions.map((_, place) => chip(sessions[place]!, { comparison, place, actions }));

/** The key by arm: its line and name, and how many sessions it has. */
export const armChips = (
  { arms, sessions, reference }: Comparison,
  { onReference }: Pick<ChipActions, 'onReference'>,
): HTMLElement[] =>
  arms.map((arm) => {
    const isReference = arm.sessions.includes(reference);
    const { tone, dash, letter } = arm.look;
    const made = html(
      'li',
      { class: 'chip' },
      letterMark(arm),
      html(
        'p',
        { class: 'chip-name' },
        lineSample({ tone, dash, widthPx: isReference ? 3 : 2 }),
        arm.name,
        html('span', { class: 'tag' }, formatCount(arm.sessions.length, 'session')),
      ),
      html(
        'div',
        { class: 'chip-acts' },
        actButton('Reference', letter, isReference, () => onReference(sessions.indexOf(arm.sessions[0]!))),
      ),
    );
    made.style.setProperty('--c', `var(--${tone})`);
    return made;
  });

interface Place {
  readonly comparison: Comparison;
  readonly place: number;
  readonly actions: ChipActions;
}

function chip({ source, log }: OpenSession, { comparison, place, actions }: Place): HTMLElement {
  const compared = comparison.sessions[place]!;
  const { look } = compared;
  const line = lineSample(sharedLine(compared, { ...comparison, chosen: null }));
  const made = html(
    'li',
    { class: comparison.chosen === compared ? 'chip chosen' : 'chip' },
    letterMark(compared),
    html(
      'div',
      { class: 'chip-words' },
      html(
        'p',
        { class: 'chip-name' },
        ...[line, ...whatMark(look, log.header.environment), ...transportMark(look)],
        ...steeringMark(log.header.environment),
        ...pairMark(compared, comparison),
      ),
      html('p', { class: 'chip-what' }, summary(log)),
      html('p', { class: 'chip-file', title: source.name }, source.name),
    ),
    chipActs({ comparison, place, actions }),
  );
  made.style.setProperty('--c', `var(--${look.tone})`);
  return made;
}

function chipActs({ comparison, place, actions }: Place): HTMLElement {
  const session = comparison.sessions[place]!;
  const { letter } = session.look;
  const isChosen = session === comparison.chosen;
  return html(
    'div',
    { class: 'chip-acts' },
    actButton('Reference', letter, session === comparison.reference, () => actions.onReference(place)),
    actButton('Highlight', letter, isChosen, () => actions.onChoose(isChosen ? null : place)),
    actButton('Close', letter, null, () => actions.onClose(place)),
  );
}

function actButton(text: string, letter: string, pressed: boolean | null, act: () => void): HTMLElement {
  const state = pressed === null ? null : String(pressed);
  const made = html(
    'button',
    { type: 'button', class: 'btn quiet', 'aria-label': `${text} ${letter}`, 'aria-pressed': state },
    text,
  );
  made.addEventListener('click', act);
  return made;
}

const lineSample = ({
  dash,
  tone,
  widthPx,
}: Pick<ReturnType<typeof sharedLine>, 'dash' | 'tone' | 'widthPx'>): Node =>
  svg({ width: 26, height: 8 }, [
    {
      d: 'M0 4H26',
      stroke: `var(--${tone})`,
      'stroke-width': String(widthPx),
      'stroke-dasharray': dash.length > 0 ? dash.join(' ') : 'none',
    },
  ]);

/** What the session did: the rule that it played, or its transfer. */
function whatMark({ rule }: ComparedSession['look'], { transfer }: Environment): (Node | string)[] {
  if (transfer) return [transfer];
  if (!rule) return ['rule unknown'];
  const code = html('span', { class: 'code' }, rule.code);
  code.style.setProperty('--c', `var(--${rule.tone})`);
  return [code, html('span', {}, rule.label)];
}

function transportMark({ transport }: ComparedSession['look']): Node[] {
  const known = protocolsOfMode(transport);
  const swatches = (known.length > 0 ? known : ['unknown']).map((name) =>
    html('span', { class: `sw ${name}` }),
  );
  return [html('span', { class: 'tag' }, ...swatches, transport ?? 'transport unknown')];
}

type Environment = OpenSession['log']['header']['environment'];

function steeringMark({ steering }: Environment): Node[] {
  return steering ? [html('span', { class: 'tag' }, `steering ${steering.policy}`)] : [];
}

/** Shows the pair within which a session is compared; nothing where there is only one pair. */
function pairMark(session: ComparedSession, { pairs }: Comparison): Node[] {
  const name = pairs.find(({ sessions }) => sessions.includes(session))?.name ?? null;
  return pairs.length > 1 && name !== null ? [html('span', { class: 'tag pair', title: name }, name)] : [];
}

function summary({ metrics, header }: OpenSession['log']): string {
  const of = (id: string): string => {
    const metric = metrics.find((each) => each.id === id);
    return metric
      ? `${metric.lowerBound ? '≥ ' : ''}${formatNumber(metric.value, metric.decimals)}${metric.value === null || !metric.unit ? '' : ` ${metric.unit}`}`
      : '';
  };
  if (header.environment.transfer)
    return `${of('transfer-time')} an object · first byte ${of('first-byte-time')}`;
  const bitrate = metrics.find(({ id }) => id === 'mean-bitrate');
  if (bitrate?.value == null) return 'never showed a frame';
  return `${of('mean-bitrate')} · ${of('rebuffer-rate')} rebuffering · join ${of('join-time')}`;
}
