import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import { callerOf, inCallerOrder, type NumberHolder } from '@hansom/domain/users/callers'
import { fullName } from '@hansom/domain/users/full-name'
import { and, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { deletedEmail, deletedUser } from './erase-user.ts'
import { parsePhone } from './phone-number.ts'
import { lockUsers } from './store.ts'
import { type UserRow, usersTable } from './table.ts'
import { userChangedEvent } from './user-changed.ts'

export interface GuestDeps {
  database: Database
  clock: Clock
  outbox: Pick<Outbox, 'write'>
  settings: { current(): Promise<{ country: string }> }
}

/** A caller without an account; the number in any written form. */
export interface Caller {
  name: string
  mobile: string
}

/** A guest who is added with their first booking; the number is in E.164. */
export type NewGuest = ReturnType<typeof newGuest>

/**
 * Finds the rider with a caller's number: the account that has proven it, or the guest; otherwise a new guest to be added.
 * An account that has not proven the number is not taken: the number may be someone else's. Throws
 * mobile_no_blank_error.
 */
export async function findCaller(deps: GuestDeps, caller: Caller): Promise<string | NewGuest> {
  const mobile = parsePhone(caller.mobile, (await deps.settings.current()).country)
  if (mobile === null) {
    const fields = [{ field: 'guest.mobile', error: 'mobile_no_blank_error' as const }]
    throw new Refusal('mobile_no_blank_error', { fields })
  }
  const known = await findRider(deps.database.db, mobile)
  return known ?? newGuest({ ...caller, mobile }, deps.clock.now())
}

/**
 * Held until the end of the transaction, by those who add a guest and those who prove a number: the second one sees what the
 * first has done.
 */
export async function lockNumber({ client }: Transaction, mobile: string): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(hashtextextended('users.mobile ' || $1, 0))`, [mobile])
}

/**
 * Adds a guest in the transaction of their first booking. False if another admin has added the number meanwhile, or an
 * account has proven it.
 */
export async function addGuest(
  { outbox }: Pick<GuestDeps, 'outbox'>,
  tx: Transaction,
  actor: Actor,
  guest: NewGuest,
): Promise<boolean> {
  await lockNumber(tx, guest.mobile)
  if ((await findRider(tx.db, guest.mobile)) !== null) return false
  const added = await tx.db
    .insert(usersTable)
    .values(guest)
    .onConflictDoNothing({ target: usersTable.mobile, where: sql`${usersTable.email} is null` })
    .returning({ id: usersTable.id })
  if (added.length === 0) return false
  const { id, ...row } = guest
  await writeAudit(tx, {
    by: actor.id,
    at: guest.createdAt,
    action: 'users.create',
    kind: 'user',
    subject: id,
    label: fullName(guest),
    before: null,
    after: row,
  })
  await outbox.write(tx, [userChangedEvent(id)])
  return true
}

/**
 * The riders with a number, in the order of `inCallerOrder`. An account without approval is included when the number is
 * certainly its own, so that it is not booked for under another name.
 */
export async function findCallers(queries: Queries, mobile: string): Promise<UserRow[]> {
  const { email, usertype } = usersTable
  const isNumber = eq(usersTable.mobile, mobile)
  // The two unique indexes are partial.
  const rows = await queries
    .select()
    .from(usersTable)
    .where(or(and(isNumber, isNotNull(email), eq(usertype, 'rider')), and(isNumber, isNull(email))))
  const riders = rows.map((row) => ({ row, ...numberHolder(row) }))
  return inCallerOrder(riders).flatMap(({ row, guest, proven }) =>
    row.approved || guest || proven ? [row] : [],
  )
}

export function numberHolder({ email, mobile_verified_at }: UserRow): NumberHolder {
  return { guest: email === null, proven: mobile_verified_at !== null }
}

async function findRider(queries: Queries, mobile: string): Promise<string | null> {
  const found = await findCallers(queries, mobile)
  return callerOf(found.map((row) => ({ id: row.id, ...numberHolder(row) })))?.id ?? null
}

function newGuest({ name, mobile }: Caller, now: number) {
  const id = uuidv7()
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  return {
    id,
    mobile,
    firstName,
    lastName: rest.join(' '),
    email: null,
    createdAt: now,
    usertype: 'rider' as const,
    approved: true,
    createdByAdmin: true,
    loginType: 'guest',
    referralId: `guest-${id}`,
  }
}

/** The guest with a number; null if there is none. */
export async function findGuest({ db }: { db: Queries }, mobile: string): Promise<string | null> {
  const [guest] = await db
    .select({ id: usersTable.id })
    .from(usersTable)
    .where(and(eq(usersTable.mobile, mobile), isNull(usersTable.email)))
  return guest?.id ?? null
}

/** Locks a guest and the user who takes it over; null when another transaction has taken the guest over. */
export async function lockGuest({ db }: Transaction, guest: string, user: string): Promise<UserRow | null> {
  const row = (await lockUsers(db, [guest, user])).get(guest)
  return row === undefined || row.deleted_at !== null ? null : row
}

/** Moves a guest's places, notifications and ratings to a user, and closes the guest. Both rows must be locked. */
export async function mergeGuest(
  { client, db }: Transaction,
  guest: UserRow,
  user: string,
  now: number,
): Promise<void> {
  for (const table of ['saved_addresses', 'user_notifications', 'user_ratings']) {
    await client.query(`update ${table} set user_id = $2 where user_id = $1`, [guest.id, user])
  }
  const { rating_sum, rating_count, version } = usersTable
  await db
    .update(usersTable)
    .set({
      rating_sum: sql`${rating_sum} + ${guest.rating_sum}`,
      rating_count: sql`${rating_count} + ${guest.rating_count}`,
      version: sql`${version} + 1`,
    })
    .where(eq(usersTable.id, user))
  // A row stays: the ledger refers to it.
  await db
    .update(usersTable)
    .set({
      firstName: deletedUser.first,
      lastName: deletedUser.last,
      email: deletedEmail(guest.id),
      mobile: null,
      approved: false,
      rating_sum: 0,
      rating_count: 0,
      deleted_at: now,
      version: sql`${version} + 1`,
    })
    .where(eq(usersTable.id, guest.id))
}
