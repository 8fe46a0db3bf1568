import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { vi } from 'vitest'
import { patience } from './patience.ts'
import type { RunningServer } from './running-server.ts'

/** Runs a query in the database of a running server. */
export async function queryServer<Row extends object>(
  { dataDir }: Pick<RunningServer, 'dataDir'>,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const client = new Client({ host: lines[4], user: 'hansom', database: 'hansom' })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Changes settings directly in the database of a running server, which reloads them within two seconds. */
export async function changeSettings(
  server: Pick<RunningServer, 'dataDir' | 'url'>,
  changes: Record<string, unknown>,
): Promise<void> {
  const [row] = await queryServer<{ version: number }>(
    server,
    'update settings set value = value || $1::jsonb, version = version + 1 returning version',
    [JSON.stringify(changes)],
  )
  if (row === undefined) throw new Error('no settings row to change')
  // The server caches settings for two seconds.
  await vi.waitFor(async () => {
    if ((await versionAt(server.url)) < row.version)
      throw new Error('the server has not reloaded the settings yet')
  }, patience)
}

async function versionAt(url: string): Promise<number> {
  const settings = (await (await fetch(`${url}/api/v1/settings`)).json()) as { version: number }
  return settings.version
}
