import { refuseCommands, type AddCommand } from './runCommandLine.ts';

/** Nothing else of the product needs `research`, which may be left out of a checkout: what is not found there is refused. */
const [found] = Object.values(
  import.meta.glob<AddCommand>('../research/replication/addPapers.ts', { eager: true, import: 'addPapers' }),
);

export const addPapers: AddCommand =
  found ??
  refuseCommands(
    ['papers'],
    (name) => `pitwall ${name} needs the folder "research" of Pitwall, which is not here.`,
  );
