/** Loads a text file by its address (relative to the page). Rejects with one sentence that begins with `what`. */
export async function loadText(typed: string, what: string): Promise<string> {
  const url = URL.parse(typed, document.baseURI);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error(`${what}: “${typed}” is not a web address.`);
  const response = await fetch(url).catch(() => null);
  if (!response)
    throw new Error(
      `${what} could not be loaded from ${url.host}: no answer, or not open to other sites (CORS).`,
    );
  if (!response.ok) throw new Error(`${what} could not be loaded: ${url.host} answered ${response.status}.`);
  return await response.text();
}
