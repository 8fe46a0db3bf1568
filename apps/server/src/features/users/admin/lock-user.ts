import { type Actor, type UserRelation, userRelationTo } from '@hansom/domain/access/relation'
import { drivingStatuses } from '@hansom/domain/bookings/status'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { and, asc, eq, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import { type UserRow, usersTable } from '../table.ts'
import { userChangedEvent } from '../user-changed.ts'

interface Locked {
  user: UserRow
  /** True when no other approved admin exists. */
  isLastAdmin: boolean
}

/**
 * Locks a user for an admin, together with all approved admins in the order of their ids: of two admins who remove each
 * other concurrently, the second is no longer an admin when their turn comes. Throws not_found for a user the actor
 * may not see.
 */
export async function lockUser(
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<Locked & { relation: UserRelation }> {
  const rows = await lock(tx, [id, actor.id])
  const asking = rows.find((row) => row.id === actor.id)
  const isStill = asking?.approved === true && asking.usertype === actor.role
  const user = isStill ? rows.find((row) => row.id === id) : undefined
  const relation = user === undefined ? null : userRelationTo(user, actor)
  if (user === undefined || relation === null || relation === 'self') throw new Refusal('not_found')
  return { user, relation, isLastAdmin: isLast(user, rows) }
}

/** Like `lockPerson`, for the user's own record. Throws not_found when it is deleted. */
export async function lockOwn(tx: Transaction, uid: string): Promise<Locked> {
  const rows = await lock(tx, [uid])
  const user = rows.find((row) => row.id === uid)
  if (user === undefined) throw new Refusal('not_found')
  return { user, isLastAdmin: isLast(user, rows) }
}

async function lock(tx: Transaction, ids: string[]): Promise<UserRow[]> {
  const isApprovedAdmin = and(eq(usersTable.usertype, 'admin'), eq(usersTable.approved, true))
  return tx.db
    .select()
    .from(usersTable)
    .where(and(isNull(usersTable.deleted_at), or(inArray(usersTable.id, ids), isApprovedAdmin)))
    .orderBy(asc(usersTable.id))
    .for('update')
}

const isAdmin = ({ usertype, approved }: UserRow) => usertype === 'admin' && approved

function isLast(user: UserRow, rows: readonly UserRow[]): boolean {
  return isAdmin(user) && rows.filter(isAdmin).length === 1
}

/** Removes all drivers from a fleet when its admin leaves; past bookings keep the fleet. */
export async function leaveFleet(
  tx: Transaction,
  outbox: Pick<Outbox, 'write'>,
  fleetadmin: string,
): Promise<void> {
  const drivers = await tx.db
    .update(usersTable)
    .set({ fleetadmin: null, version: sql`${usersTable.version} + 1` })
    .where(eq(usersTable.fleetadmin, fleetadmin))
    .returning({ id: usersTable.id })
  await outbox.write(
    tx,
    drivers.map(({ id }) => userChangedEvent(id)),
  )
}

/** Pending obligations that prevent a deletion. */
export interface PendingObligations {
  trip: boolean
  unpaid: boolean
  balance: number
  withdrawal: boolean
  /** A payment that is being captured or not yet applied, a refund in progress, or an undecided objection. */
  payment: boolean
}

const inProgress = ['PAYMENT_PENDING', 'NEW', ...drivingStatuses]

/**
 * To rely on it, call it with the user's row locked for update, so that no booking of theirs starts before the
 * transaction ends.
 */
export async function readObligations(
  { client }: Pick<Transaction, 'client'>,
  uid: string,
): Promise<PendingObligations> {
  const reply = await client.query<PendingObligations>(
    `select
      exists (select from booking_money where (rider = $1 or driver = $1) and status = any($2)) as trip,
      exists (select from booking_money where (rider = $1 or driver = $1) and status = 'PENDING') as unpaid,
      (select wallet_balance from users where id = $1) as balance,
      exists (select from undecided_withdrawals where uid = $1) as withdrawal,
      exists (select from payment_records where payer = $1 and is_busy) or
      exists (select from refund_records where (rider = $1 or driver = $1) and ended_at is null) or
      exists (select from booking_money where rider = $1 and objection = 'open') as payment`,
    [uid, inProgress],
  )
  return reply.rows[0] as PendingObligations
}

/** Throws open_booking while the user has a trip in progress. */
export async function refuseOpenTrip(tx: Transaction, uid: string): Promise<void> {
  if ((await readObligations(tx, uid)).trip) throw new Refusal('open_booking')
}

/**
 * Throws why an account cannot be deleted, by its owner or an admin: open_booking, unpaid_booking (a trip waiting for
 * payment), open_withdrawal, open_payment, open_debt, and open_balance unless exactly this balance is given up. A debt
 * that is waived must be credited first, so that the ledger shows who bore it.
 */
export async function refusePendingObligations(tx: Transaction, uid: string, giveUp: Amount): Promise<void> {
  const { trip, unpaid, balance, withdrawal, payment } = await readObligations(tx, uid)
  const open: Partial<Record<ErrorKey, boolean>> = {
    open_booking: trip,
    unpaid_booking: unpaid,
    open_withdrawal: withdrawal,
    open_payment: payment,
    open_debt: balance < 0,
    open_balance: Math.max(0, balance) !== giveUp,
  }
  const [first] = Object.entries(open).find(([, isOpen]) => isOpen) ?? []
  if (first !== undefined) throw new Refusal(first as ErrorKey)
}
