/** Parses an address, as `URL.parse` does, which browsers have since 2024 only; null for what is no address. */
export function parseUrl(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}
