import type { Paper, PaperPart } from '../paperCampaign.ts';

/** Whether the scaled campaign of this id has been played. */
type IsPlayed = (campaign: string) => boolean;

type State = 'played' | 'not played yet' | 'not built yet' | 'not possible';

/** Every table and figure of a paper: what it shows, the command that plays it, and whether its results are here. */
export function formatParts({ parts }: Pick<Paper, 'parts'>, isPlayed: IsPlayed, columns: number): string {
  const indent = ' '.repeat(2 + Math.max(...parts.map(({ part }) => part.length)));
  const lines = parts.flatMap((part) => {
    const [first = '', ...more] = linesOf(part, isPlayed).flatMap((line) =>
      wrapped(line, columns - indent.length),
    );
    return [`${part.part.padEnd(indent.length)}${first}`, ...more.map((line) => `${indent}${line}`)];
  });
  return [...wrapped(summaryOf(parts, isPlayed), columns), ...lines].join('\n');
}

function linesOf({ shows, by, note }: PaperPart, isPlayed: IsPlayed): string[] {
  const more = note === undefined ? [] : [`(${note})`];
  if ('reason' in by) return [shows, by.reason, ...more];
  if ('missing' in by) return [shows, `not built yet: ${by.missing}`, ...more];
  if ('command' in by) return [shows, `${by.command}: ${whereOf(by.results)}`, ...more];
  const played = by.campaigns.map(
    (id) => `pitwall papers run ${id}: ${isPlayed(id) ? 'played' : 'not played yet'}`,
  );
  return [shows, ...played, ...more];
}

const whereOf = (results: string | undefined): string =>
  results === undefined ? 'no results are committed' : `played, ${results}`;

/** What is known of a table or figure. Of several campaigns, one is enough. */
export function stateOf({ by }: PaperPart, isPlayed: IsPlayed): State {
  if ('reason' in by) return 'not possible';
  if ('missing' in by) return 'not built yet';
  const isThere = 'command' in by ? by.results !== undefined : by.campaigns.some(isPlayed);
  return isThere ? 'played' : 'not played yet';
}

function summaryOf(parts: readonly PaperPart[], isPlayed: IsPlayed): string {
  const count = (state: State): number => parts.filter((part) => stateOf(part, isPlayed) === state).length;
  return `Tables and figures, some of them together: ${count('played')} played, ${count('not played yet')} not yet, ${count('not built yet')} not built yet, ${count('not possible')} that cannot be played.`;
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
