/** The database cannot serve; `message` says why and what to do, and is made to be printed as it is. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailableError'
  }
}

/** Ends every message about a database that cannot run here. */
export const outsideDatabaseAdvice =
  'Or use a PostgreSQL of your own, version 15 or newer: set DATABASE_URL=postgresql://user:password@host:5432/name'
