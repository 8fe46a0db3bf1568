import type { OfficeSettings, PublicSettings } from '@hansom/contract/settings'
import { Refusal } from '@hansom/domain/error-keys'
import { checkValues, tidyValues } from '@hansom/domain/settings/check-values'
import type { SettingValues } from '@hansom/domain/settings/fields'
import { defaultSettings, type Settings } from '@hansom/domain/settings/settings'
import { sql } from 'drizzle-orm'
import type { Maps } from '../../adapters/maps/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import { changeSettings, refuseValues } from './change-settings.ts'
import { isCurrencyInUse } from './currency-in-use.ts'
import { officeView } from './office-view.ts'
import { publicView } from './public-view.ts'
import { settingsTable } from './table.ts'
import type { CurrentSettings } from './types.ts'

export type { CurrentSettings } from './types.ts'

export interface SettingsDeps {
  database: Database
  demo: boolean
  /** Somebody can take card payments in a currency. */
  cardAvailable(currency: string): boolean
  clock: Pick<Clock, 'now'>
  maps: Pick<Maps, 'region'>
}

/** What an admin sends: some fields, and the version that was read. */
export interface OfficeEdit {
  version: number
  values: Partial<SettingValues>
  /** A code for the licence service, if one is given. */
  license?: string | undefined
}

/** Asks the licence service about a code; true when it is good. */
export interface LicenceCheck {
  asked: boolean
  /** Whether the service refused the licence when it was asked last. */
  isRefused(): boolean
  /** Throws wrong_code, update_failed. */
  checkCode(uid: string, code: string): Promise<void>
}

export interface SettingsService {
  /** The settings that hold now; read from memory, at most two seconds old when another server changed them. */
  current(): Promise<CurrentSettings>
  /** What every visitor may know. */
  publicView(): Promise<PublicSettings>
  /** Changes some settings in the caller's transaction and answers with the result. */
  update(tx: Transaction, changes: Partial<Settings>): Promise<CurrentSettings>
  /** All settings as an admin edits them. */
  all(licence: LicenceCheck): Promise<OfficeSettings>
  /**
   * Changes some settings for an admin, and keeps who did. Throws conflict (`data.current`), proper_bonus, proper_email,
   * invalid_input with the fields, and what the check of a code throws.
   */
  change(uid: string, edit: OfficeEdit, licence: LicenceCheck): Promise<OfficeSettings>
  /** Says in the caller's transaction that a language or its texts change. Only one transaction at a time may. */
  languagesChanged(tx: Transaction): Promise<void>
  /** The code that the licence service has accepted; empty when there is none. */
  licenceCode(): Promise<string>
  /** Looks every few seconds for changes by other servers, until the answer is called. */
  watch(): () => void
  /** Calls `listener` after each committed change, with all settings and what visitors may know: at once for one made by this server, and when it is seen for one made by another. */
  onChange(listener: (settings: CurrentSettings, view: PublicSettings) => void): void
}

const freshMs = 2_000
const lookMs = 1_000

/** The installation's settings: one row over built-in defaults, kept in memory. */
export function createSettingsService(deps: SettingsDeps): SettingsService {
  const { database, demo, clock, maps, cardAvailable } = deps
  const shown = (settings: CurrentSettings) =>
    publicView(settings, maps.region, { demo, cardAvailable: cardAvailable(settings.code) })
  const listeners: Parameters<SettingsService['onChange']>[0][] = []
  let known: { settings: CurrentSettings; until: number } | undefined
  let reading: Promise<CurrentSettings> | undefined

  const learn = (settings: CurrentSettings, isChange: boolean) => {
    // A read that was under way while a change was committed must not bring the old ones back.
    if (known !== undefined && known.settings.version > settings.version) return known.settings
    const isNews = known === undefined ? isChange : known.settings.version < settings.version
    known = { settings, until: performance.now() + freshMs }
    if (isNews) {
      const view = shown(settings)
      for (const listener of listeners) listener(settings, view)
    }
    return settings
  }

  const current = async (): Promise<CurrentSettings> => {
    if (known !== undefined && known.until > performance.now()) return known.settings
    reading ??= readSettings(database.db)
      .then((settings) => learn(settings, false))
      .finally(() => {
        reading = undefined
      })
    return reading
  }

  const update = async (tx: Transaction, changes: Partial<Settings>) => {
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
    tx.afterCommit(() => learn(settings, true))
    return settings
  }

  const office = async (settings: CurrentSettings, { asked, isRefused }: LicenceCheck) =>
    officeView(settings, {
      currencyInUse: await isCurrencyInUse(database.pool),
      licensed: asked,
      licenceRefused: isRefused(),
    })

  const change: SettingsService['change'] = async (uid, { version, values, license }, licence) => {
    const code = (await current()).code
    refuseValues(checkValues(tidyValues(values), { currencyInUse: false, code }))
    const isChecked = licence.asked && license !== undefined && license !== ''
    // Nobody outside is waited for within a transaction.
    if (isChecked) await licence.checkCode(uid, license)
    const edit = { version, values, licence: isChecked ? license : undefined }
    const by = { uid, now: clock.now() }
    const parts = { read: (tx: Transaction) => readSettings(tx.db), update }
    try {
      const changed = await database.withTransaction((tx) => changeSettings(tx, parts, by, edit))
      return await office(changed, licence)
    } catch (error) {
      if (!(error instanceof Refusal && error.key === 'conflict')) throw error
      const now = await office(await readSettings(database.db), licence)
      throw new Refusal('conflict', { data: { current: now } })
    }
  }

  return {
    current,
    publicView: async () => shown(await current()),
    update,
    all: async (licence) => office(await readSettings(database.db), licence),
    change,
    languagesChanged: async (tx) => {
      const { languagesVersion } = await readSettings(tx.db)
      await update(tx, { languagesVersion: languagesVersion + 1 })
    },
    licenceCode: async () => {
      const [row] = await database.db.select({ licence: settingsTable.licence }).from(settingsTable)
      return row?.licence ?? ''
    },
    watch: () => {
      const timer = setInterval(() => void current().catch(() => {}), lookMs)
      timer.unref()
      return () => clearInterval(timer)
    },
    onChange: (listener) => {
      listeners.push(listener)
    },
  }
}

/** All settings as they stand in the database. */
export async function readSettings(db: Queries): Promise<CurrentSettings> {
  const [row] = await db.select().from(settingsTable)
  const value = row?.value ?? {}
  const dispatch = { ...defaultSettings.dispatch, ...value.dispatch }
  return { ...defaultSettings, ...value, dispatch, version: row?.version ?? 0 }
}
