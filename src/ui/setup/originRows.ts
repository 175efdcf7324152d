import { byId } from '../byId.ts';
import { element } from '../element.ts';
import type { OriginRow } from './readOrigins.ts';

/** The rows "origin, headers, cookies" under Advanced. Returns what is typed into them. */
export function originRows(): () => readonly OriginRow[] {
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
  const remove = element(
    'button',
    { type: 'button', class: 'btn icon', 'aria-label': 'Remove this origin' },
    '×',
  );
  const row = element(
    'fieldset',
    { class: 'origin', 'aria-label': 'An origin' },
    element('input', {
      class: 'input origin-address',
      'aria-label': 'Origin',
      placeholder: 'https://cdn.example',
      spellcheck: 'false',
    }),
    element('textarea', {
      class: 'input',
      rows: 1,
      'aria-label': 'Request headers, one a line',
      placeholder: 'Authorization: Bearer …',
      spellcheck: 'false',
    }),
    element('label', { class: 'check' }, element('input', { type: 'checkbox' }), 'send cookies'),
    remove,
  );
  remove.addEventListener('click', () => row.remove());
  return row;
}
