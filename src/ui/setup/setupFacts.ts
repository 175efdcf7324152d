import { ruleLook } from '../../charts/ruleLook.ts';
import { presetOf } from '../../player/presets.ts';
import { formatRule } from '../../player/rules.ts';
import { formatSplit } from '../../shared/format.ts';
import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { byId, html } from '../dom.ts';
import type { Fact } from '../panels/facts.ts';

/** Writes what a session played and how into its list in the page. */
export function writeFacts(header: SessionHeader): void {
  byId('opened-facts', HTMLDListElement).replaceChildren(
    ...setupFacts(header).map(([label, value]) =>
      html('div', {}, html('dt', {}, label), html('dd', { title: value }, value)),
    ),
  );
}

/** What the session played and how, each with a short name. What the log does not say is left out. */
export function setupFacts({ environment, clock, design }: SessionHeader): readonly Fact[] {
  const { rule, ruleParameters, preset, mpdUrl, transport, link, steering, browser, simulator } = environment;
  const label = rule === null ? null : ruleLook(rule).label;
  const text = rule === null ? null : formatRule(rule, ruleParameters);
  const facts: [string, string | null | undefined][] = [
    ['Transfer', environment.transfer],
    ['Stream', mpdUrl],
    ['Player', environment.player],
    ['ABR rule', text === null || text === rule ? label : `${label} (${text})`],
    ['Settings', preset === null ? null : presetLabel(preset)],
    ['Steering', steering && steering.policy],
    ['Viewer’s script', environment.viewer],
    ['Ranges of a segment', formatSplit(environment)],
    ['Transport', transport],
    ['Network', link],
    ['Browser', browser],
    // A simulation has no clock.
    ['Recorded', simulator ? null : formatDay(clock.startedAtUnixMs)],
    ['Version', environment.pitwallVersion],
    ['Campaign', design?.campaign],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] != null && fact[1] !== '');
}

/** A log may come from a version with other presets. */
function presetLabel(text: string): string {
  const preset = presetOf(text);
  return preset.ok ? preset.value.label : text;
}

const formatDay = (unixMs: number): string =>
  new Date(unixMs).toLocaleDateString('en-GB', { dateStyle: 'medium' });
