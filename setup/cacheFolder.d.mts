export function cacheFolder(environment?: Record<string, string | undefined>, platform?: string): string;
