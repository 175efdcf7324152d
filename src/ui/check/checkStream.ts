import { hostOf } from '../../doctor/answers.ts';
import { PRODUCTS } from '../../doctor/check.ts';
import { noCors } from '../../doctor/checks/crossOrigin.ts';
import { diagnose, type Finding } from '../../doctor/diagnose.ts';
import { pageChecks } from '../../doctor/pageChecks.ts';
import { formatCount } from '../../shared/format.ts';
import { html } from '../dom.ts';
import { markOf, severityCounts } from '../panels/severity.ts';
import { mpdAddress } from '../setup/setup.ts';
import { gatherFromPage, type FromPage } from './gatherFromPage.ts';

/** Asks for a stream from this page and shows what is wrong with it, in a dialog. @throws Error in one sentence about the address */
export async function checkStream(typed: string): Promise<void> {
  const address = mpdAddress(typed, location.href);
  if (!address.ok) throw new Error(address.error);
  const url = address.value;
  const dialog = dialogOf(url);
  document.body.append(dialog.root);
  dialog.root.addEventListener('close', () => dialog.root.remove());
  dialog.root.showModal();
  const startedMs = performance.now();
  const found = await gatherFromPage(url);
  const findings = findingsOf(found);
  const elapsedSeconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  const counts = severityCounts(findings.map(({ check }) => check)) || 'Nothing found';
  dialog.status.textContent = `${counts}. ${formatCount(found.requests, 'request')} in ${elapsedSeconds} s.`;
  dialog.found.replaceChildren(
    html('ul', { class: 'diag' }, ...findings.map(itemOf)),
    ...protocolElements(found),
    ...restElements(url, found),
  );
}

/** Of the checks that a page can run; what a server keeps from the page is one of them. */
function findingsOf({ evidence, refused }: FromPage): Finding[] {
  const kept = refused.map(({ kind, url }) => ({
    check: noCors,
    sentence: `${hostOf(url)} (${kind}) does not let pages of ${evidence.pageOrigin} read its files`,
  }));
  return [...kept, ...diagnose(evidence, pageChecks).findings];
}

function itemOf({ check, sentence }: Finding): HTMLElement {
  const { fix, severity, why } = check;
  const ways = fix.by && [
    html(
      'details',
      {},
      html('summary', {}, `How, in ${PRODUCTS.join(', ')}`),
      html(
        'dl',
        {},
        ...PRODUCTS.flatMap((product) => [
          html('dt', {}, product),
          html('dd', {}, html('code', {}, fix.by![product])),
        ]),
      ),
    ),
  ];
  return html(
    'li',
    { 'data-check': check.id },
    markOf(severity),
    html(
      'div',
      {},
      html('p', {}, html('b', {}, `${sentence}.`)),
      html('p', {}, why),
      html('p', {}, html('b', {}, 'Fix: '), `${fix.text}.`),
      ...(ways ?? []),
    ),
  );
}

function protocolElements({ protocols }: FromPage): HTMLElement[] {
  const lines = Array.from(protocols, ([origin, used]) => {
    const text = used.length === 0 ? 'hidden from this page' : used.join(', then ');
    return html('li', {}, `${hostOf(origin)}: ${text}`);
  });
  return lines.length === 0 ? [] : [html('h3', {}, 'Protocols of these requests'), html('ul', {}, ...lines)];
}

/** What a page cannot see, and the command that does. */
function restElements(url: string, { evidence }: FromPage): HTMLElement[] {
  const { notChecked } = diagnose(evidence, pageChecks);
  const labels = [...new Set(notChecked.map(({ check }) => check.label))];
  return [
    html('h3', {}, 'Not seen from a page'),
    html('p', {}, 'The rest needs a command: ', html('code', {}, `npx pitwall doctor ${quoted(url)}`)),
    html(
      'details',
      {},
      html('summary', {}, `What it also looks at (${labels.length})`),
      html('ul', {}, ...labels.map((label) => html('li', {}, label))),
    ),
  ];
}

/** An address as a shell takes it. */
const quoted = (url: string): string => (/^[\w./:-]+$/.test(url) ? url : `'${url.replaceAll("'", '%27')}'`);

function dialogOf(url: string): { root: HTMLDialogElement; status: HTMLElement; found: HTMLElement } {
  const status = html(
    'p',
    { role: 'status' },
    'Asking for the manifest, a file of each server, and each level…',
  );
  const found = html('div', { class: 'found', tabindex: 0, role: 'region', 'aria-label': 'What was found' });
  const root = html(
    'dialog',
    { class: 'checked', 'aria-labelledby': 'checked-title' },
    html('h2', { id: 'checked-title' }, 'Check of this stream'),
    html('p', { class: 'muted' }, url),
    status,
    found,
    html('form', { method: 'dialog' }, html('button', { class: 'btn', autofocus: true }, 'Close')),
  );
  return { root, status, found };
}
