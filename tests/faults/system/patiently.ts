const ATTEMPTS = 4;

/** Asks the campaign's own database again after a failure: on a starved machine a connection may take too long to open. */
export async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
