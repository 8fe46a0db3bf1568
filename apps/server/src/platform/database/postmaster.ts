import { spawnSync } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { embeddedUser } from './init-data-folder.ts'

/** The contents of a running PostgreSQL's pid file. */
export type Postmaster = { pid: number; socketFolder: string }

/** Finds the PostgreSQL process that serves this folder, if any. */
export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const lines = await readLock(join(folder, 'postmaster.pid'))
  return lines === undefined ? undefined : { pid: Number(lines[0]), socketFolder: lines[4] ?? '' }
}

/**
 * Reads the lines of a PostgreSQL lock file. After a machine crash the file may name an unrelated process, which
 * PostgreSQL would take for a running server; such a file is removed.
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

export type ServerReply = { folder: string } | { waiting: string }

/** Asks the server on a socket which folder it serves; returns `waiting` with the reason while it cannot respond. */
export async function queryServer(socketFolder: string): Promise<ServerReply> {
  const client = new Client({ host: socketFolder, user: embeddedUser, database: 'postgres' })
  // A server that goes down during the query also emits an error; the rejected call already reports it.
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
