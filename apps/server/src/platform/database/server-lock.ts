import { hostname } from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import { DatabaseUnavailableError } from './database-error.ts'

/** Held for as long as its connection lives, so also a killed server lets go of it. */
export type ServerLock = { release(): Promise<void> }

const lockKey = 4_260_781
// A killed server's connection ends a moment after it.
const patienceMs = 2_000

/**
 * Claims the embedded database for this server. Throws DatabaseUnavailableError naming the holder when
 * another server has it; `onLost` is called when the claim is lost later.
 */
export async function takeServerLock(
  connection: ClientConfig,
  dataDir: string,
  onLost: (reason: Error) => void,
): Promise<ServerLock> {
  const client = new Client({ ...connection, application_name: holderName() })
  let released = false
  let lost = false
  const lose = (reason: Error) => {
    if (released || lost) return
    lost = true
    onLost(reason)
  }
  client.on('error', lose)
  await client.connect()
  const deadline = Date.now() + patienceMs
  while (!(await tryLock(client))) {
    if (Date.now() < deadline) {
      await wait(50)
      continue
    }
    const holder = await findHolder(client)
    released = true
    await client.end()
    throw new DatabaseUnavailableError(
      `The data folder ${dataDir} is in use by another server: ${holder}.\n` +
        'Stop that one first, or give this one another folder with DATA_DIR.',
    )
  }
  client.on('end', () => lose(new Error('the connection ended')))
  return {
    release: async () => {
      released = true
      await client.end()
    },
  }
}

function holderName(): string {
  const since = new Date().toISOString().slice(0, 19)
  return `hansom process ${process.pid} on ${hostname().slice(0, 16)} since ${since}Z`.slice(0, 63)
}

async function tryLock(client: Client): Promise<boolean> {
  const reply = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [lockKey])
  return reply.rows[0]?.taken === true
}

async function findHolder(client: Client): Promise<string> {
  const reply = await client.query<{ name: string }>(
    `select activity.application_name as name
       from pg_locks join pg_stat_activity activity using (pid)
      where locktype = 'advisory' and granted and objid = $1`,
    [lockKey],
  )
  return reply.rows[0]?.name ?? 'one that has just gone'
}
