export function requireNode(version: string): void;
/** @throws Error with one sentence for a folder in which Vite cannot build */
export function requirePath(folder: string): void;
