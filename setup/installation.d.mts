/** Whether `root` is the folder of the installed npm package, not a checkout. */
export function isPackage(root: string): boolean;
/** Where this installation keeps what it found and built. */
export function stateFolder(root: string): string;
/** The command that makes the machine ready, for sentences. */
export function setupCommand(root: string): string;
