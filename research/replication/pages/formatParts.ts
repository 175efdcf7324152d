import type { Paper, PaperPart } from '../paperCampaign.ts';
import { formatState, formatStates, stateOf, type PartTables } from './partState.ts';

/** Formats every table and figure of a paper: what it shows, what is known of it, and the command that plays it. */
export function formatParts({ parts }: Pick<Paper, 'parts'>, tables: PartTables, columns: number): string {
  const indent = ' '.repeat(2 + Math.max(...parts.map(({ part }) => part.length)));
  const lines = parts.flatMap((part) => {
    const [first = '', ...more] = linesOf(part, tables).flatMap((line) =>
      wrapped(line, columns - indent.length),
    );
    return [`${part.part.padEnd(indent.length)}${first}`, ...more.map((line) => `${indent}${line}`)];
  });
  const summary = `Tables and figures, some of them together: ${formatStates(parts, tables)}.`;
  return [...wrapped(summary, columns), ...lines].join('\n');
}

function linesOf(part: PaperPart, tables: PartTables): string[] {
  const { shows, by, note } = part;
  return [
    shows,
    formatState(stateOf(part, tables)),
    ...commandsOf(by, tables),
    ...(note === undefined ? [] : [`(${note})`]),
  ];
}

function commandsOf(by: PaperPart['by'], tables: PartTables): string[] {
  if ('campaigns' in by)
    return by.campaigns.map((id) => `pitwall papers run ${id}: ${tables.has(id) ? 'played' : 'not played'}`);
  if (!('command' in by)) return [];
  return [by.results === undefined ? by.command : `${by.command}: ${by.results}`];
}

/** Breaks at blanks; a word that is longer than a line stays whole. */
function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
