import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'

/** Changes settings of a running server in its own database. It reads them anew within two seconds. */
export async function changeSettings(dataDir: string, changes: Record<string, unknown>): Promise<void> {
  const lines = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  const client = new Client({ host: lines[4], user: 'hansom', database: 'hansom' })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      'update settings set value = value || $1::jsonb, version = version + 1',
      [JSON.stringify(changes)],
    )
    if (rowCount !== 1) throw new Error('There are no settings to change')
  } finally {
    await client.end()
  }
}
