/** The version of package.json. */
export function packageVersion(root: string): string;
/** `+g0123456789`, with `.dirty` where files of the code differ from the commit; empty without git or a checkout. */
export function buildMetadata(root: string): string;
