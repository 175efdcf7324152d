import type { LaneTable } from '../marks/mark.ts';
import { html } from '../../ui/dom.ts';
import { formatCount } from '../../shared/format.ts';

/** A lane as a table, in a dialog over the page. */
interface TableDialog {
  readonly element: HTMLDialogElement;
  show(title: string, table: LaneTable): void;
}

export function createTableDialog(): TableDialog {
  const element = html('dialog', { class: 'lanes-dialog' });
  return {
    element,
    show(title, table) {
      element.setAttribute('aria-label', `${title} as a table`);
      const close = html('button', { type: 'button', class: 'lanes-close' }, 'Close');
      close.addEventListener('click', () => element.close());
      const scroller = html(
        'div',
        { class: 'lanes-scroller', tabindex: '0', role: 'region', 'aria-label': table.caption },
        tableElement(table),
      );
      element.replaceChildren(html('div', { class: 'lane-head' }, html('h2', {}, title), close), scroller);
      if (table.leftOut > 0)
        element.append(
          html('p', {}, `${formatCount(table.leftOut, 'row')} left out; a shorter range shows them all.`),
        );
      element.showModal();
    },
  };
}

function tableElement({ caption, columns, rows }: LaneTable): HTMLTableElement {
  const head = html('tr', {}, ...columns.map((column) => html('th', { scope: 'col' }, column)));
  const body = rows.map((row) => html('tr', {}, ...row.map((cell) => html('td', {}, cell))));
  return html(
    'table',
    {},
    html('caption', {}, caption),
    html('thead', {}, head),
    html(
      'tbody',
      {},
      ...(body.length > 0 ? body : [html('tr', {}, html('td', {}, 'Nothing in this range.'))]),
    ),
  );
}
