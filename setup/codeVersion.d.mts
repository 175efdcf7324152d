/** The version of package.json. */
export function packageVersion(root: string): string;
/**
 * `+g0123456789`, with `.dirty` where files of the code differ from the commit. Without git or a checkout it is of
 * PITWALL_COMMIT, else empty. @throws Error in one sentence when that is no commit
 */
export function buildMetadata(root: string): string;
