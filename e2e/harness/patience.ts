/** Timeout of a condition: long, because the machine may be slow. No test depends on its length. */
export const patience = { timeout: 60_000, interval: 250 }
