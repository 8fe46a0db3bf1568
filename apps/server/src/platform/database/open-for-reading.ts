import type { Log } from '../log/log.ts'
import { connectDatabase, type Database } from './database.ts'
import { startEmbeddedServer } from './embedded-server.ts'
import { embeddedUser } from './init-data-folder.ts'
import { type DatabaseLocation, embeddedName, openDatabase } from './open-database.ts'

/**
 * Opens a database for reading while a server may be using it: an embedded database that was already running is left
 * running, otherwise it is stopped on close. `beside` is true when another process may be writing. Throws
 * DatabaseUnavailableError.
 */
export async function openForReading(
  place: DatabaseLocation,
  log: Log,
): Promise<{ database: Database; beside: boolean }> {
  if (place.databaseUrl !== undefined) return { database: await openDatabase(place, log), beside: true }
  const server = await startEmbeddedServer({ dataDir: place.dataDir })
  if (!server.adopted) return { database: await openDatabase(place, log), beside: false }
  const connection = { host: server.socketFolder, user: embeddedUser, database: embeddedName }
  const description = `PostgreSQL, embedded, in ${server.dataFolder}`
  return { database: connectDatabase({ connection, description, exclusive: false }, log), beside: true }
}
