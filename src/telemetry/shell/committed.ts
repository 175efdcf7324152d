/** Settles when IndexedDB has taken all that a transaction wrote. Rejects when it took nothing of it. */
export const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    // Also after an error; `error` is null when the page itself gave it up.
    transaction.onabort = () => reject(transaction.error ?? new DOMException('The write was given up.'));
  });
