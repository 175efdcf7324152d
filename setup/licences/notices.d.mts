export const NOTICES_FILE: string;
export function licenceTexts(root: string): string;
