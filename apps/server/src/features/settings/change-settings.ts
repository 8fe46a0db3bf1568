import { type FieldError, Refusal } from '@hansom/domain/error-keys'
import { checkValues, tidyValues } from '@hansom/domain/settings/check-values'
import { convertDistances } from '@hansom/domain/settings/convert-units'
import type { SettingValues } from '@hansom/domain/settings/fields'
import { changesOf, valuesOf } from '@hansom/domain/settings/values'
import { eq, sql } from 'drizzle-orm'
import { refuseClash, writeAudit } from '../../platform/audit/audit.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type CurrentSettings, settingsTable } from './table.ts'

/** An admin's change. Undefined fields stay unchanged. */
export interface SettingsEdit {
  values: Partial<SettingValues>
  /** The version that the admin has read. */
  version: number
  /** A code accepted by the licence service; undefined keeps the current one. */
  licence?: string | undefined
  /** A change of the unit also converts the rates of the car types, and the distances that are not in `values`. */
  convertUnits: boolean
}

/** Converts the prices per distance of all car types in the caller's transaction. */
export interface RateConverter {
  convertRates(
    tx: Transaction,
    by: { uid: string; now: number },
    units: { toMile: boolean; decimal: number },
  ): Promise<void>
}

/** Errors that become the refusal's key; other errors are listed by field. */
const ownKeys = ['proper_bonus', 'proper_email'] as const

/** Throws for invalid values: proper_bonus, proper_email, or invalid_input with the fields. */
export function refuseValues(fields: readonly FieldError[]): void {
  if (fields.length === 0) return
  const own = ownKeys.find((key) => fields.every(({ error }) => error === key))
  throw new Refusal(own ?? 'invalid_input', { fields })
}

export interface ChangeDeps {
  read(tx: Transaction): Promise<CurrentSettings>
  update(tx: Transaction, changes: ReturnType<typeof changesOf>): Promise<CurrentSettings>
  rates: RateConverter
}

/**
 * Changes settings in the caller's transaction, with an audit entry. Throws conflict with `current` null when another
 * change touched the same fields, and the errors of `refuseValues`.
 */
export async function changeSettings(
  tx: Transaction,
  { read, update, rates }: ChangeDeps,
  by: { uid: string; now: number },
  edit: SettingsEdit,
): Promise<CurrentSettings> {
  await lockRow(tx)
  const before = await read(tx)
  const given = tidyValues(edit.values)
  const toMile = given.convert_to_mile ?? before.convert_to_mile
  // A repeat finds the unit changed, and converts nothing.
  const isConverted = edit.convertUnits && toMile !== before.convert_to_mile
  const values = isConverted ? { ...convertDistances(valuesOf(before), toMile), ...given } : given
  await refuseClash(tx, {
    kind: 'settings',
    subject: 'settings',
    seen: edit.version,
    current: { ...valuesOf(before), version: before.version },
    changes: values,
    view: () => null,
  })
  const changesCode = values.code !== undefined && values.code !== before.code
  const currencyInUse = changesCode && (await lockUnusedCurrency(tx))
  refuseValues(checkValues(values, { currencyInUse, code: before.code }))
  const codes = await changeLicence(tx, edit.licence)
  const after = await update(tx, changesOf(before, values))
  if (isConverted) await rates.convertRates(tx, by, { toMile, decimal: after.decimal })
  await writeAudit(tx, {
    by: by.uid,
    at: by.now,
    action: 'settings.update',
    kind: 'settings',
    subject: 'settings',
    label: after.appName,
    version: after.version,
    // Licence codes are redacted in the log; the fact that one changed is not.
    before: { ...valuesOf(before), licence_code: codes.before },
    after: { ...valuesOf(after), licence_code: codes.after },
  })
  return after
}

/** Returns the code before and after the change; undefined keeps the current one. */
async function changeLicence(
  { db }: Transaction,
  licence: string | undefined,
): Promise<{ before: string; after: string }> {
  const [row] = await db.select({ licence: settingsTable.licence }).from(settingsTable)
  const before = row?.licence ?? ''
  if (licence === undefined) return { before, after: before }
  await db.update(settingsTable).set({ licence })
  return { before, after: licence }
}

/** Serializes concurrent changes: the next one waits here and then reads the result. */
async function lockRow({ db }: Transaction): Promise<void> {
  await db.insert(settingsTable).values({ value: {}, version: 0 }).onConflictDoNothing()
  await db.select({ one: sql`1` }).from(settingsTable).where(eq(settingsTable.only, true)).for('update')
}

/** Whether bookings or ledger entries exist, which store the currency they were made in. */
export async function isCurrencyInUse(client: Pick<Transaction['client'], 'query'>): Promise<boolean> {
  const found = await client.query(
    'select exists (select from booking_links) or exists (select from ledger_records) as used',
  )
  return found.rows[0]?.used === true
}

/**
 * Like `isCurrencyInUse`, for a transaction that changes the currency: until it ends, no first booking in the old one
 * can be made.
 */
export async function lockUnusedCurrency({ client }: Transaction): Promise<boolean> {
  await client.query(`set local lock_timeout = '5s'`)
  await client.query('lock table booking_links, ledger_records in share mode')
  return isCurrencyInUse(client)
}
