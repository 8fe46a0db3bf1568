import { type FieldError, Refusal } from '@hansom/domain/error-keys'
import { checkValues, tidyValues } from '@hansom/domain/settings/check-values'
import type { SettingValues } from '@hansom/domain/settings/fields'
import { changesOf, valuesOf } from '@hansom/domain/settings/values'
import { eq, sql } from 'drizzle-orm'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { lockUnusedCurrency } from './currency-in-use.ts'
import { settingsTable } from './table.ts'
import type { CurrentSettings } from './types.ts'

/** What an admin changes. Undefined fields stay. */
export interface SettingsEdit {
  values: Partial<SettingValues>
  /** The version that was read. */
  version: number
  /** A code that the licence service has accepted; undefined: the one there is stays. */
  licence?: string | undefined
}

/** The keys that are said on their own; of other fields the field says what is wrong. */
const ownKeys = ['proper_bonus', 'proper_email'] as const

/** Throws for values that cannot be kept: proper_bonus, proper_email, or invalid_input with the fields. */
export function refuseValues(fields: readonly FieldError[]): void {
  if (fields.length === 0) return
  const own = ownKeys.find((key) => fields.every(({ error }) => error === key))
  throw new Refusal(own ?? 'invalid_input', { fields })
}

export interface ChangeDeps {
  read(tx: Transaction): Promise<CurrentSettings>
  update(tx: Transaction, changes: ReturnType<typeof changesOf>): Promise<CurrentSettings>
}

/**
 * Changes some settings in the caller's transaction and keeps who did. Throws conflict without data for another version,
 * and what `refuseValues` throws.
 */
export async function changeSettings(
  tx: Transaction,
  { read, update }: ChangeDeps,
  by: { uid: string; now: number },
  edit: SettingsEdit,
): Promise<CurrentSettings> {
  await lockRow(tx)
  const before = await read(tx)
  if (before.version !== edit.version) throw new Refusal('conflict')
  const values = tidyValues(edit.values)
  const changesCode = values.code !== undefined && values.code !== before.code
  const currencyInUse = changesCode && (await lockUnusedCurrency(tx))
  refuseValues(checkValues(values, { currencyInUse, code: before.code }))
  const codes = await changeLicence(tx, edit.licence)
  const after = await update(tx, changesOf(before, values))
  await writeAudit(tx, {
    by: by.uid,
    at: by.now,
    action: 'settings.update',
    kind: 'settings',
    subject: 'settings',
    label: after.appName,
    // Codes stay out of the log; that one has changed does not.
    before: { ...valuesOf(before), licence_code: codes.before },
    after: { ...valuesOf(after), licence_code: codes.after },
  })
  return after
}

/** The code before and after; undefined leaves the one there is. */
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

/** Whoever changes the settings at the same time waits here, and then reads what came of it. */
async function lockRow({ db }: Transaction): Promise<void> {
  await db.insert(settingsTable).values({ value: {}, version: 0 }).onConflictDoNothing()
  await db.select({ one: sql`1` }).from(settingsTable).where(eq(settingsTable.only, true)).for('update')
}
