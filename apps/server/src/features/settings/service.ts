import type { AdminSettings, PublicSettings } from '@hansom/contract/settings'
import { Refusal } from '@hansom/domain/error-keys'
import { mapServiceFacts } from '@hansom/domain/geo/map-services'
import { checkValues, tidyValues } from '@hansom/domain/settings/check-values'
import type { SettingValues } from '@hansom/domain/settings/fields'
import { regionSettings, servedCountries } from '@hansom/domain/settings/region-settings'
import { defaultSettings, type Settings } from '@hansom/domain/settings/settings'
import { sql } from 'drizzle-orm'
import type { MapServices, Maps } from '../../adapters/maps/port.ts'
import type { Voice } from '../../adapters/voice/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { Log } from '../../platform/log/log.ts'
import {
  changeSettings,
  isCurrencyInUse,
  lockUnusedCurrency,
  type RateConverter,
  refuseValues,
} from './change-settings.ts'
import { type CurrentSettings, settingsTable } from './table.ts'
import { adminView, publicView } from './views.ts'

export type { RateConverter } from './change-settings.ts'
export type { CurrentSettings } from './table.ts'

export interface SettingsDeps {
  database: Database
  demo: boolean
  /** Whether card payments are possible in a currency. */
  cardAvailable(currency: string): boolean
  clock: Pick<Clock, 'now'>
  maps: Pick<Maps, 'region'>
  mapServices: Pick<MapServices, 'status'> | null
  voice: Pick<Voice, 'service'> | null
  baseMap: PublicSettings['baseMap']
}

/** An admin's change: some fields, and the version that was read. */
export interface AdminEdit {
  version: number
  values: Partial<SettingValues>
  /** A code for the licence service, if given. */
  license?: string | undefined
  /** A change of the unit also converts rates and distances. */
  convertUnits?: boolean | undefined
}

/** Checks a code with the licence service. */
export interface LicenceCheck {
  isConfigured: boolean
  /** Whether the service refused the licence at the last check. */
  isRefused(): boolean
  /** Throws wrong_code, update_failed. */
  checkCode(uid: string, code: string): Promise<void>
}

export interface SettingsService {
  /** Returns the current settings from memory, at most two seconds old after a change by another server. */
  current(): Promise<CurrentSettings>
  /** Returns the public settings. */
  publicView(): Promise<PublicSettings>
  /** Changes settings in the caller's transaction; returns the result. */
  update(tx: Transaction, changes: Partial<Settings>): Promise<CurrentSettings>
  /**
   * Stores again what follows from the map's region, unless there are bookings or money. For an installation without an
   * admin, whose operator may start it with another map.
   */
  followRegion(tx: Transaction): Promise<void>
  /** Returns all settings for editing by an admin. */
  all(licence: LicenceCheck): Promise<AdminSettings>
  /**
   * Changes settings for an admin, with an audit entry. Throws conflict (`data.current`), proper_bonus, proper_email,
   * invalid_input with the fields, and the errors of `checkCode`.
   */
  change(uid: string, edit: AdminEdit, licence: LicenceCheck, rates: RateConverter): Promise<AdminSettings>
  /**
   * Records in the caller's transaction that a language or its texts change. Only one transaction at a time may call
   * it.
   */
  languagesChanged(tx: Transaction): Promise<void>
  /** Returns the code accepted by the licence service; empty when none is set. */
  licenceCode(): Promise<string>
  /** Polls for changes by other servers until the returned function is called. */
  watch(): () => void
  /**
   * Calls `listener` with all settings and the public ones after each committed change: immediately for a change by
   * this server, otherwise when it is detected.
   */
  onChange(listener: (settings: CurrentSettings, view: PublicSettings) => void): void
}

const cacheMs = 2_000
const pollMs = 1_000

/** The outside map services, each once. */
function receivers(mapServices: SettingsDeps['mapServices']): PublicSettings['mapServices'] {
  const { places, routes } = mapServices?.status() ?? {}
  const services = new Set([places, routes].flatMap((one) => (one ? [one.service] : [])))
  return [...services].map((service) => {
    const { isBilled: _billed, ...facts } = mapServiceFacts[service]
    return { service, ...facts }
  })
}

/** The installation's settings: one row over built-in defaults, cached in memory. */
export function createSettingsService(deps: SettingsDeps): SettingsService {
  const { database, demo, clock, maps, baseMap, cardAvailable } = deps
  const mapServices = receivers(deps.mapServices)
  const shown = (settings: CurrentSettings) =>
    publicView(settings, maps.region, {
      demo,
      cardAvailable: cardAvailable(settings.code),
      mapServices,
      callService: deps.voice?.service ?? null,
      baseMap,
    })
  const listeners: Parameters<SettingsService['onChange']>[0][] = []
  let known: { settings: CurrentSettings; until: number } | undefined
  let reading: Promise<CurrentSettings> | undefined

  const remember = (settings: CurrentSettings, isChange: boolean) => {
    // A read that started before a commit must not restore the old settings.
    if (known !== undefined && known.settings.version > settings.version) return known.settings
    const isNewer = known === undefined ? isChange : known.settings.version < settings.version
    known = { settings, until: performance.now() + cacheMs }
    if (isNewer) {
      const view = shown(settings)
      for (const listener of listeners) listener(settings, view)
    }
    return settings
  }

  const current = async (): Promise<CurrentSettings> => {
    if (known !== undefined && known.until > performance.now()) return known.settings
    reading ??= readSettings(database.db)
      .then((settings) => remember(settings, false))
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
    tx.afterCommit(() => remember(settings, true))
    return settings
  }

  const withLicence = async (settings: CurrentSettings, { isConfigured: asked, isRefused }: LicenceCheck) =>
    adminView(settings, {
      currencyInUse: await isCurrencyInUse(database.pool),
      licensed: asked,
      licenceRefused: isRefused(),
    })

  const change: SettingsService['change'] = async (uid, edit, licence, rates) => {
    const { version, values, license, convertUnits = false } = edit
    const code = (await current()).code
    refuseValues(checkValues(tidyValues(values), { currencyInUse: false, code }))
    const isChecked = licence.isConfigured && license !== undefined && license !== ''
    // Calls the outside service before the transaction opens.
    if (isChecked) await licence.checkCode(uid, license)
    const checked = { version, values, convertUnits, licence: isChecked ? license : undefined }
    const by = { uid, now: clock.now() }
    const parts = { read: (tx: Transaction) => readSettings(tx.db), update, rates }
    try {
      const changed = await database.withTransaction((tx) => changeSettings(tx, parts, by, checked))
      return await withLicence(changed, licence)
    } catch (error) {
      if (!(error instanceof Refusal && error.key === 'conflict')) throw error
      const now = await withLicence(await readSettings(database.db), licence)
      throw new Refusal('conflict', { data: { ...error.data, current: now } })
    }
  }

  return {
    current,
    publicView: async () => shown(await current()),
    update,
    followRegion: async (tx) => {
      const followed = Object.entries(regionSettings(maps.region))
      const stored = await readSettings(tx.db)
      if (followed.every(([name, value]) => stored[name as keyof Settings] === value)) return
      if (!(await lockUnusedCurrency(tx))) await update(tx, Object.fromEntries(followed))
    },
    all: async (licence) => withLicence(await readSettings(database.db), licence),
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
      const timer = setInterval(() => void current().catch(() => {}), pollMs)
      timer.unref()
      return () => clearInterval(timer)
    },
    onChange: (listener) => {
      listeners.push(listener)
    },
  }
}

/** Reads all settings from the database. */
export async function readSettings(db: Queries): Promise<CurrentSettings> {
  const [row] = await db.select().from(settingsTable)
  const value = row?.value ?? {}
  const dispatch = { ...defaultSettings.dispatch, ...value.dispatch }
  return { ...defaultSettings, ...value, dispatch, version: row?.version ?? 0 }
}

interface InstallationDeps {
  database: Database
  settings: Pick<SettingsService, 'update'>
  maps: Pick<Maps, 'region'>
  log: Log
}

/**
 * Stores the installation's category at the first start, and what follows from the map's region: currency, country and
 * time zone. From then on the stored values apply; a different category, or a map with countries to which search is not
 * extended, is logged as a warning.
 */
export async function storeInstallation(
  { database, settings, maps, log }: InstallationDeps,
  configured: Settings['category'],
): Promise<void> {
  await database.withTransaction(async (tx) => {
    const [row] = await tx.db.select().from(settingsTable)
    const stored = row?.value.category
    if (stored === undefined) {
      await settings.update(tx, { ...regionSettings(maps.region), ...row?.value, category: configured })
      return
    }
    if (stored !== configured) {
      log.warn(
        { stored, configured },
        'CATEGORY differs from the category stored at the first start and is ignored',
      )
    }
    const limit = row?.value.restrictCountry
    const others = servedCountries(maps.region).filter((country) => country !== limit)
    if (limit && others.length > 0)
      log.warn({ limit, others }, 'the settings limit place search to one country, but the map has others')
  })
}
