/** Loads a file that lies beside the page. Rejects with one sentence. */
export async function shippedFile(file: string): Promise<string> {
  const response = await fetch(new URL(file, document.baseURI)).catch(() => null);
  if (response?.ok) return await response.text();
  throw new Error(
    `The weights that come with the rule (${file}) could not be loaded: ${response ? `the page’s server answered ${response.status}` : 'no answer'}.`,
  );
}
