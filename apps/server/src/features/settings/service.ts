import type { PublicSettings } from '@hansom/contract/settings'
import { defaultSettings, type Settings } from '@hansom/domain/settings/settings'
import { sql } from 'drizzle-orm'
import type { Maps } from '../../adapters/maps/port.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { publicView } from './public-view.ts'
import { settingsTable } from './table.ts'
import type { CurrentSettings } from './types.ts'

export type { CurrentSettings } from './types.ts'

export interface SettingsDeps {
  database: Database
  demo: boolean
  maps: Pick<Maps, 'region'>
}

export interface SettingsService {
  /** The settings that hold now; read from memory, at most two seconds old when another server changed them. */
  current(): Promise<CurrentSettings>
  /** What every visitor may know. */
  publicView(): Promise<PublicSettings>
  /** Changes some settings in the caller's transaction and answers with the result. */
  update(tx: Transaction, changes: Partial<Settings>): Promise<CurrentSettings>
  /** Calls `listener` after each committed change made by this server, with all settings and what visitors may know. */
  onChange(listener: (settings: CurrentSettings, view: PublicSettings) => void): void
}

const freshMs = 2_000

/** The installation's settings: one row over built-in defaults, kept in memory. */
export function createSettingsService(deps: SettingsDeps): SettingsService {
  const { database, demo, maps } = deps
  const listeners: Parameters<SettingsService['onChange']>[0][] = []
  let known: { settings: CurrentSettings; until: number } | undefined
  let reading: Promise<CurrentSettings> | undefined

  const remember = (settings: CurrentSettings) => {
    // A read that was under way while a change was committed must not bring the old ones back.
    if (known !== undefined && known.settings.version > settings.version) return known.settings
    known = { settings, until: performance.now() + freshMs }
    return settings
  }

  const current = async (): Promise<CurrentSettings> => {
    if (known !== undefined && known.until > performance.now()) return known.settings
    reading ??= readSettings(database.db)
      .then(remember)
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  return {
    current,
    publicView: async () => publicView(await current(), maps.region, demo),
    update: async (tx, changes) => {
      const value = JSON.stringify(changes)
      await tx.db
        .insert(settingsTable)
        .values({ value: changes, version: 1 })
        .onConflictDoUpdate({
          target: settingsTable.only,
          set: {
            value: sql`${settingsTable.value} || ${value}::jsonb`,
            version: sql`${settingsTable.version} + 1`,
          },
        })
      const settings = await readSettings(tx.db)
      tx.afterCommit(() => {
        remember(settings)
        const view = publicView(settings, maps.region, demo)
        for (const listener of listeners) listener(settings, view)
      })
      return settings
    },
    onChange: (listener) => {
      listeners.push(listener)
    },
  }
}

async function readSettings(db: Queries): Promise<CurrentSettings> {
  const [row] = await db.select().from(settingsTable)
  const value = row?.value ?? {}
  const dispatch = { ...defaultSettings.dispatch, ...value.dispatch }
  return { ...defaultSettings, ...value, dispatch, version: row?.version ?? 0 }
}
