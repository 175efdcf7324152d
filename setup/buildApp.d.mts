/** Builds the page into dist/ when a source changed since the last build; `say` gets one line. */
export function buildApp(root: string, say: (line: string) => void): Promise<void>;
