/** The database is unavailable; `message` gives the reason and the fix and is printed as is. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailableError'
  }
}

/** Last line of every message about a database that cannot run here. */
export const externalDatabaseHint =
  'Or use your own PostgreSQL, version 15 or newer: set DATABASE_URL=postgresql://user:password@host:5432/name'
