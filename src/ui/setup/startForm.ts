import { faultOfPreset } from '../../player/presets.ts';
import { readPathways } from '../../player/steering/pathways.ts';
import type { Entry } from '../../shared/registry.ts';
import { failed, ok, type Result } from '../../shared/result.ts';
import { unknownId } from '../../shared/unknownId.ts';
import { byId, choose, html, setText } from '../dom.ts';
import {
  cmcdChoices,
  type Setup,
  mpdAddress,
  readOrigins,
  readProtection,
  readSizes,
  readSeed,
  readViewer,
  type OriginRow,
} from './setup.ts';
import { linkBox, needsOtherPlayer, type Linked, type LinkTexts } from './sharedLink.ts';
import { presetFields, type PresetFields } from './presetFields.ts';
import { ruleFields, type RuleFields } from './ruleFields.ts';

export interface StartForm {
  /** What is typed and picked, or one sentence about what is wrong with it. */
  setup(): Result<Setup>;
  fill(values: Partial<Omit<Linked, 'autoplay'>>): void;
  /** The address as typed. */
  mpd(): string;
  /** The rule as in a link. */
  rule(): string;
  label(startButton: string, busy: boolean): void;
}

/** A rule that was just picked: its text as in a link, its name, and what loads its weights. */
export type PickedRule = Pick<Setup, 'rule' | 'weights'> & { readonly label: string };

interface Listeners {
  readonly onStart: () => void;
  /** The rule or its parameters were changed by hand: that acts at once when something plays. */
  readonly onRule: (rule: PickedRule) => void;
  readonly onChange: () => void;
}

/** The start bar. Knows the pickers, not what starting means. */
export function startForm({ onStart, onRule, onChange }: Listeners): StartForm {
  const form = byId('start-form', HTMLFormElement);
  const openAdvanced = expander('advanced-button', (open) => (byId('advanced', HTMLElement).hidden = !open));
  const rule = ruleFields({
    onRule() {
      changed();
      onRule({ rule: rule.texts().rule, label: rule.label(), weights: rule.weights });
    },
    onWanted: () => openAdvanced(true),
  });
  const fields = fieldsOf(rule);
  const rows = originRows();
  const link = linkBox(() => textsOf(fields));
  const showPlayer = playerShown(fields, () => changed());
  const changed = (): void => {
    showPlayer();
    link.update();
    fields.mpd.removeAttribute('aria-invalid');
    setText(byId('summary', HTMLElement), summaryOf(fields));
    onChange();
  };
  form.addEventListener('input', changed);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onStart();
  });
  form.noValidate = true;
  expander('change', (open) => form.classList.toggle('open', open));
  changed();
  return {
    setup: () => readSetup(fields, rows()),
    mpd: () => fields.mpd.value,
    rule: () => rule.texts().rule,
    fill(values) {
      if (values.mpd) fields.mpd.value = values.mpd;
      choose(fields.player, values.player ?? null);
      choose(fields.cmcd, values.cmcd ?? null);
      if (values.preset) fields.preset.fill(values.preset);
      // A link and a recording bring their own pathways and policy, or none.
      for (const name of ['pathways', 'steering', 'viewer', 'split'] as const) {
        const value = values[name];
        if (value !== undefined) fields[name].value = value ?? '';
      }
      rule.fill(values);
      changed();
    },
    label(startButton, busy) {
      const button = byId('start', HTMLButtonElement);
      // What plays now would be below what was set for it.
      if (startButton === 'Restart' && button.textContent !== startButton) openAdvanced(false);
      setText(button, startButton);
      button.disabled = busy;
    },
  };
}

/** What another player changes in the form comes with it. Returns what is to be called at each change. */
function playerShown({ mpd, player }: Fields, onLoaded: () => void): () => void {
  let show: (() => void) | null = null;
  let isAsked = false;
  return () => {
    show?.();
    if (isAsked || !needsOtherPlayer(mpd.value.trim(), player.value)) return;
    isAsked = true;
    void import('./playerFields.ts').then((chunk) => {
      show = chunk.playerFields();
      onLoaded();
    });
  };
}

interface Fields {
  readonly mpd: HTMLInputElement;
  readonly player: HTMLSelectElement;
  readonly rule: RuleFields;
  readonly preset: PresetFields;
  readonly cmcd: HTMLSelectElement;
  readonly pathways: HTMLTextAreaElement;
  readonly steering: HTMLInputElement;
  readonly viewer: HTMLInputElement;
  readonly split: HTMLInputElement;
}

function fieldsOf(rule: RuleFields): Fields {
  const picker = (id: string, entries: readonly Entry[]): HTMLSelectElement => {
    const select = byId(id, HTMLSelectElement);
    select.replaceChildren(...entries.map((entry) => html('option', { value: entry.id }, entry.label)));
    return select;
  };
  return {
    mpd: byId('mpd', HTMLInputElement),
    player: byId('player', HTMLSelectElement),
    rule,
    preset: presetFields(),
    cmcd: picker('cmcd', cmcdChoices),
    pathways: byId('pathways', HTMLTextAreaElement),
    steering: byId('steering', HTMLInputElement),
    viewer: byId('viewer', HTMLInputElement),
    split: byId('split', HTMLInputElement),
  };
}

/** One sentence about the first choice that is not there; null: all are. */
function unknownChoice({ preset, cmcd }: Fields): string | null {
  const fault = preset.text() === '' ? null : faultOfPreset(preset.text());
  if (fault !== null) return fault;
  const modes = cmcdChoices.map(({ id }) => id);
  return modes.includes(cmcd.value) ? null : unknownId('CMCD mode', cmcd.value, modes);
}

/** '' is another player's own rule, where none is named. */
const namedRule = ({ rule, player }: Fields, mpdUrl: string): string =>
  rule.isChosen() || !needsOtherPlayer(mpdUrl, player.value) ? rule.texts().rule : '';

function readSetup(fields: Fields, rows: Parameters<typeof readOrigins>[0]): Result<Setup> {
  const mpd = mpdAddress(fields.mpd.value, location.href);
  const origins = readOrigins(rows);
  const protection = readProtection(byId('protection', HTMLTextAreaElement).value);
  fields.mpd.toggleAttribute('aria-invalid', false);
  if (!mpd.ok) {
    fields.mpd.setAttribute('aria-invalid', 'true');
    fields.mpd.focus();
    return mpd;
  }
  const texts = fields.rule.texts();
  const seed = readSeed(texts.seed);
  const sizes = readSizes(texts.sizes, mpd.value);
  if (!origins.ok) return failed(origins.error);
  if (!protection.ok) return failed(protection.error);
  if (!seed.ok) return failed(seed.error);
  if (!sizes.ok) return failed(sizes.error);
  const followed = readFollowed(fields);
  if (!followed.ok) return failed(followed.error);
  const unknown = unknownChoice(fields);
  if (unknown !== null) return failed(unknown);
  return ok({
    mpdUrl: mpd.value,
    player: fields.player.value || null,
    rule: namedRule(fields, mpd.value),
    weights: fields.rule.weights,
    seed: seed.value,
    sizes: sizes.value,
    presetId: fields.preset.text(),
    cmcd: cmcdChoices.find(({ id }) => id === fields.cmcd.value)?.cmcd ?? null,
    protection: protection.value,
    origins: origins.value,
    keepQueryValues: byId('keep-query', HTMLInputElement).checked,
    ...followed.value,
  });
}

/** What is done during the session: by a steering policy, by a viewer, and to segments. */
function readFollowed({
  pathways,
  steering,
  viewer,
  split,
}: Fields): Result<Pick<Setup, 'pathways' | 'steering' | 'viewer' | 'viewerScript' | 'split'>> {
  const placed = readPathways(pathways.value.split(/\s+/).filter(Boolean));
  if (!placed.ok) return failed(placed.error);
  const steps = readViewer(viewer.value);
  if (!steps.ok) return failed(steps.error);
  return ok({
    pathways: placed.value,
    steering: steering.value.trim() || null,
    viewer: steps.value,
    viewerScript: viewer.value.trim() || null,
    split: split.value.trim() || null,
  });
}

function textsOf({ mpd, player, rule, preset, cmcd, pathways, steering, viewer, split }: Fields): LinkTexts {
  const steered = { pathways: pathways.value.trim(), steering: steering.value.trim() };
  return {
    mpd: mpd.value.trim(),
    player: player.value,
    preset: preset.text(),
    cmcd: cmcd.value,
    ...rule.texts(),
    ...steered,
    viewer: viewer.value.trim(),
    split: split.value.trim(),
  };
}

/** One line for narrow windows: stream, host, rule, preset. */
function summaryOf({ mpd, rule, preset }: Fields): string {
  const url = URL.parse(mpd.value, location.href);
  const name = mpd.value.trim() === '' || !url ? 'No stream yet' : `${streamName(url)} on ${url.hostname}`;
  return `${name} · ${rule.label()} · ${preset.label()}`;
}

const streamName = ({ pathname }: URL): string =>
  pathname
    .replace(/\/[^/]*\.(mpd|m3u8)$/i, '')
    .split('/')
    .filter(Boolean)
    .slice(-2)
    .join('/') || pathname;

/** Returns what opens and closes it without the button. */
function expander(buttonId: string, set: (open: boolean) => void): (open: boolean) => void {
  const button = byId(buttonId, HTMLButtonElement);
  const write = (open: boolean): void => {
    button.setAttribute('aria-expanded', String(open));
    set(open);
  };
  button.addEventListener('click', () => write(button.getAttribute('aria-expanded') !== 'true'));
  return write;
}

/** The rows "origin, headers, cookies" under Advanced. Returns what is typed into them. */
function originRows(): () => readonly OriginRow[] {
  const host = byId('origins', HTMLDivElement);
  const add = (): HTMLElement => {
    const row = rowElement();
    host.append(row);
    return row;
  };
  byId('add-origin', HTMLButtonElement).addEventListener('click', () =>
    add().querySelector('input')?.focus(),
  );
  add();
  return () =>
    [...host.children].map((row) => ({
      origin: row.querySelector<HTMLInputElement>('.origin-address')?.value ?? '',
      headers: row.querySelector('textarea')?.value ?? '',
      credentials: row.querySelector<HTMLInputElement>('input[type=checkbox]')?.checked ?? false,
    }));
}

function rowElement(): HTMLElement {
  const remove = html(
    'button',
    { type: 'button', class: 'btn icon', 'aria-label': 'Remove this origin' },
    '×',
  );
  const row = html(
    'fieldset',
    { class: 'origin', 'aria-label': 'An origin' },
    html('input', {
      class: 'input origin-address',
      'aria-label': 'Origin',
      placeholder: 'https://cdn.example',
      spellcheck: 'false',
    }),
    html('textarea', {
      class: 'input',
      rows: 1,
      'aria-label': 'Request headers, one per line',
      placeholder: 'Authorization: Bearer …',
      spellcheck: 'false',
    }),
    html('label', { class: 'check' }, html('input', { type: 'checkbox' }), 'send cookies'),
    remove,
  );
  remove.addEventListener('click', () => row.remove());
  return row;
}
