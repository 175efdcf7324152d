/** Returns the path of an up-to-date bundle of the command line. @throws Error in one sentence where it cannot be written */
export function bundleCommandLine(root: string): Promise<string>;
/** Says which sources these are. `metadata` is that of `buildMetadata`. */
export function fingerprint(root: string, metadata: string): string;
