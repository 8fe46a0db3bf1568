/** How long a condition is waited for: long, since the machine may be busy. Nothing is proved by its length. */
export const patience = { timeout: 60_000, interval: 250 }
