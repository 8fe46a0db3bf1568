import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { vi } from 'vitest'
import { patience } from './patience.ts'
import type { RunningServer } from './running-server.ts'

/** Changes settings directly in the database of a running server, which reloads them within two seconds. */
export async function changeSettings(
  { dataDir, url }: Pick<RunningServer, 'dataDir' | 'url'>,
  changes: Record<string, unknown>,
): Promise<void> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const client = new Client({ host: lines[4], user: 'hansom', database: 'hansom' })
  await client.connect()
  try {
    const { rows } = await client.query<{ version: number }>(
      'update settings set value = value || $1::jsonb, version = version + 1 returning version',
      [JSON.stringify(changes)],
    )
    const wanted = rows[0]?.version
    if (wanted === undefined) throw new Error('no settings row to change')
    // The server caches settings for two seconds.
    await vi.waitFor(async () => {
      if ((await versionAt(url)) < wanted) throw new Error('the server has not reloaded the settings yet')
    }, patience)
  } finally {
    await client.end()
  }
}

async function versionAt(url: string): Promise<number> {
  const settings = (await (await fetch(`${url}/api/v1/settings`)).json()) as { version: number }
  return settings.version
}
