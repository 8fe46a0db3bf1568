import { spawnSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { embeddedUser } from './init-data-folder.ts'

/** What a running PostgreSQL notes in its data folder. */
export type Postmaster = { pid: number; socketFolder: string }

/** The PostgreSQL process that serves this folder, if one does. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = await readLock(join(folder, 'postmaster.pid'))
  return lines === undefined ? undefined : { pid: Number(lines[0]), socketFolder: lines[4] ?? '' }
}

/**
 * The lines of a lock file of PostgreSQL. After a crash of the machine it may name a process that is
 * something else by now, which PostgreSQL itself would believe: such a file is removed.
 */
export async function readLock(file: string): Promise<string[] | undefined> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  if ((await commandOf(pid)).includes('postgres')) return lines
  await rm(file, { force: true })
  return undefined
}

async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return String(spawnSync('ps', ['-p', String(pid), '-o', 'command=']).stdout)
}

export type Answer = { folder: string } | { waiting: string }

/** Asks the server behind a socket which folder it serves; `waiting` while it cannot answer. */
export async function askServer(socketFolder: string): Promise<Answer> {
  const client = new Client({ host: socketFolder, user: embeddedUser, database: 'postgres' })
  // A server that goes down while we ask also emits an error, which the rejected call tells already.
  client.on('error', () => {})
  try {
    await client.connect()
    const reply = await client.query<{ data_directory: string }>('show data_directory')
    return { folder: reply.rows[0]?.data_directory ?? '' }
  } catch (error) {
    return { waiting: (error as Error).message }
  } finally {
    await client.end().catch(() => {})
  }
}
