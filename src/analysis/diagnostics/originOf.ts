/** "https://host:port" of an absolute URL; what has no origin is named as it is. The core has no `URL`. */
export function originOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#\\]+/i.exec(url)?.[0].toLowerCase() ?? url.slice(0, 100);
}
