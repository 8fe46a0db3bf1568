import { and, asc, eq, gt, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { SettingsService } from '../settings/service.ts'
import { normalizePhone, parsePhone } from '../users/phone-number.ts'
import { usersTable } from '../users/table.ts'
import { phoneCollisionsTable, phoneNormalisationTable } from './table.ts'

/** Converts phone numbers stored by an older version to today's form. */
export interface OldPhones {
  /** Users who have the same number in two forms: the one with today's form first, then those with an old form. */
  collisions(): Promise<{ mobile: string; uids: string[] }[]>
  /** Assigns a number that has become free to the user waiting for it, and deletes resolved collisions. */
  settle(tx: Transaction): Promise<void>
  /** Converts the next batch; false when all users are done. */
  nextBatch(): Promise<boolean>
}

export interface OldPhonesDeps {
  database: Database
  clock: Clock
  jobs: Jobs
  settings: Pick<SettingsService, 'current'>
}

const job = 'identity.phones'
const batchSize = 2_000

/**
 * Converts old phone numbers to today's form in batches. Each batch stores its progress in its transaction, so the work
 * continues after a restart. Users are never merged: a number that another user has in today's form stays unchanged
 * until an admin decides. When all users are done, the job only settles collisions.
 */
export function createOldPhones({ database, clock, jobs, settings }: OldPhonesDeps): OldPhones {
  const progress = phoneNormalisationTable
  const table = phoneCollisionsTable

  const store = async (tx: Transaction, uid: string, mobile: string, e164: string) => {
    const isFree = sql`not exists (select from user_facts o where o.mobile = ${e164} and o.email is not null)`
    const stored = await tx.db
      .update(usersTable)
      .set({ mobile: e164, version: sql`${usersTable.version} + 1` })
      .where(and(eq(usersTable.id, uid), eq(usersTable.mobile, mobile), isFree))
      .returning({ id: usersTable.id })
    return stored.length > 0
  }

  const nextBatch = () =>
    database.withTransaction(async (tx) => {
      const [at] = await tx.db.select().from(progress).for('update')
      if (at === undefined || at.done_at !== null) return false
      const { country } = await settings.current()
      const people = await tx.db
        .select({ id: usersTable.id, mobile: usersTable.mobile })
        .from(usersTable)
        .where(and(isNotNull(usersTable.mobile), at.after === null ? undefined : gt(usersTable.id, at.after)))
        .orderBy(asc(usersTable.id))
        .limit(batchSize)
      for (const { id, mobile } of people) {
        const e164 = mobile && formOfToday(mobile, country)
        if (!mobile || !e164 || e164 === mobile || (await store(tx, id, mobile, e164))) continue
        await tx.db.insert(table).values({ user_id: id, e164 }).onConflictDoNothing()
      }
      const last = people.at(-1)
      await tx.db.update(progress).set(last ? { after: last.id } : { done_at: clock.now() })
      return last !== undefined
    })

  const settle = async (tx: Transaction) => {
    const waiting = await tx.db
      .select({ uid: table.user_id, e164: table.e164, mobile: usersTable.mobile })
      .from(table)
      .innerJoin(usersTable, eq(usersTable.id, table.user_id))
      .orderBy(asc(usersTable.createdAt))
    const { country } = await settings.current()
    for (const { uid, e164, mobile } of waiting) {
      const isStill = mobile !== null && mobile !== e164 && formOfToday(mobile, country) === e164
      if (isStill && !(await store(tx, uid, mobile, e164))) continue
      await tx.db.delete(table).where(eq(table.user_id, uid))
    }
  }

  const definition = {
    schema: z.object({}),
    repeat: { everyS: 900, data: {} },
    concurrency: 1,
    timeoutS: 600,
  }
  jobs.define(job, definition, async (_data, signal) => {
    while (!signal.aborted && (await nextBatch()));
    await database.withTransaction(settle)
  })

  return {
    nextBatch,
    settle,
    collisions: async () => {
      const rows = await database.db
        .select({
          mobile: table.e164,
          waiting: sql<string[]>`array_agg(${table.user_id}::text order by ${table.user_id})`,
          owner: sql<string>`(select o.id::text from user_facts o where o.mobile = ${table.e164} and o.email is not null)`,
        })
        .from(table)
        .innerJoin(usersTable, eq(usersTable.id, table.user_id))
        .where(
          and(isNull(usersTable.deleted_at), isNotNull(usersTable.mobile), ne(usersTable.mobile, table.e164)),
        )
        .groupBy(table.e164)
        .orderBy(table.e164)
      return rows.flatMap(({ mobile, waiting, owner }) =>
        owner === null ? [] : [{ mobile, uids: [owner, ...waiting] }],
      )
    },
  }
}

function formOfToday(mobile: string, country: string): string {
  return mobile.startsWith('+') ? normalizePhone(mobile) : (parsePhone(mobile, country) ?? mobile)
}
