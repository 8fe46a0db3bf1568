import type { UserView } from '@hansom/contract/users'
import type { Actor } from '@hansom/domain/access/relation'
import { definedFields } from '@hansom/domain/defined'
import { Refusal } from '@hansom/domain/error-keys'
import {
  type UserChanges,
  unwritable,
  userTextFields,
  userTextProblem,
} from '@hansom/domain/users/field-views'
import { fullName } from '@hansom/domain/users/full-name'
import type { Role } from '@hansom/domain/users/roles'
import { eq, sql } from 'drizzle-orm'
import { type AuditRecord, refuseClash, writeAudit } from '../../../platform/audit/audit.ts'
import { isUniqueViolation, postgresError } from '../../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { CorrectContact, CorrectedContacts } from '../../accounts/contact-changes.ts'
import { findClashes } from '../../accounts/create-account.ts'
import { eraseDevices } from '../../devices/registry.ts'
import { findGuest } from '../guests.ts'
import { refuseBlankNames } from '../profile.ts'
import { type UserRow, usersTable } from '../table.ts'
import { userChangedEvent } from '../user-changed.ts'
import { leaveFleet, lockUser, refuseOpenTrip } from './lock-user.ts'

/** Fields that admins change without a separate command. */
export type AdminUserChanges = UserChanges<'fleetadmin' | 'admin'>

/** The admin or fleet admin who changes a user, the time, and the outbox for the event. */
export interface AdminContext {
  outbox: Pick<Outbox, 'write'>
  actor: Actor
  /** Epoch ms. */
  at: number
  /** The changed user as the actor sees them. */
  view: (tx: Transaction) => Promise<UserView>
}

/** Throws conflict when someone else has changed the same fields of the locked user since `version`. */
async function refuseLate(
  tx: Transaction,
  { view }: AdminContext,
  user: UserRow,
  version: number | undefined,
  changes: object,
  more: { judges?: true } = {},
): Promise<void> {
  if (version === undefined) return
  const subject = { kind: 'user', subject: user.id, current: user } as const
  await refuseClash(tx, { ...subject, seen: version, changes, view: () => view(tx), ...more })
}

/**
 * Throws invalid_input for fields that the actor may not write or that a driver needs, proper_input_name, open_booking,
 * conflict, not_found.
 */
export async function changeUser(
  tx: Transaction,
  context: AdminContext,
  id: string,
  changes: AdminUserChanges,
  version: number | undefined,
): Promise<void> {
  refuseBlankNames(changes)
  const { user, relation } = await lockUser(tx, context.actor, id)
  const foreign = unwritable(Object.keys(definedFields(changes)), relation)
  if (foreign.length > 0) {
    throw new Refusal('invalid_input', {
      fields: foreign.map((field) => ({ field, error: 'unknown_field' })),
    })
  }
  refuseEmptied(user, changes)
  await refuseLate(tx, context, user, version, changes)
  const goesOffline = user.driverActiveStatus && changes.driverActiveStatus === false
  const changesCar = changes.car_type_id !== undefined && changes.car_type_id !== user.car_type_id
  if (goesOffline || changesCar) await refuseOpenTrip(tx, id)
  await store(tx, context, 'users.update', user, definedFields(changes))
}

/** Throws invalid_input for a text of a vehicle that a driver needs and the changes would remove. */
function refuseEmptied(user: UserRow, changes: AdminUserChanges): void {
  const fields = userTextFields('vehicle').flatMap((field) => {
    const isRemoved = user[field] !== null && changes[field] === null
    const error = isRemoved ? userTextProblem(field, null, user.usertype) : null
    return error ? [{ field, error }] : []
  })
  if (fields.length > 0) throw new Refusal('invalid_input', { fields })
}

/**
 * Stores a driver's licence, from the back office. `put` saves the picture while the row is locked. Returns the path of the
 * replaced picture. Throws not_valid_user_type, conflict, not_found.
 */
export async function setLicence(
  tx: Transaction,
  context: AdminContext,
  id: string,
  put: () => Promise<string>,
  version: number | undefined,
): Promise<string | null> {
  const { user } = await lockUser(tx, context.actor, id)
  if (user.usertype !== 'driver') throw new Refusal('not_valid_user_type')
  await refuseLate(tx, context, user, version, { licenseImage: '' })
  const licenseImage = await put()
  await store(tx, context, 'users.update', user, { licenseImage })
  return user.licenseImage
}

export interface Correction extends CorrectedContacts {
  correctContact: CorrectContact
  /** Assigns freed numbers to the users waiting for them. */
  settle(tx: Transaction): Promise<void>
}

/** Corrects an email address or number, which is then unverified. Throws user_exists when it is taken. */
export async function correctContacts(
  tx: Transaction,
  context: AdminContext,
  id: string,
  { correctContact, settle, email, mobile }: Correction,
  version: number | undefined,
): Promise<void> {
  const { user, relation } = await lockUser(tx, context.actor, id)
  if (relation !== 'admin') throw new Refusal('forbidden')
  if (email !== undefined) refuseForGuest(user, 'email')
  if (mobile === null) refuseForGuest(user, 'mobile')
  await refuseLate(tx, context, user, version, { email, mobile })
  const isOtherGuest =
    user.email === null && mobile && mobile !== user.mobile && (await findGuest(tx, mobile))
  if (isOtherGuest) {
    throw new Refusal('user_exists', { fields: [{ field: 'mobile', error: 'user_exists' }] })
  }
  const clashes = await findClashes(tx.db, {
    email: email === user.email ? undefined : email,
    mobile: mobile === user.mobile ? undefined : (mobile ?? undefined),
  })
  // The user's own address in another case is not taken.
  const taken = clashes.filter(
    ({ field }) => field !== 'email' || email?.toLowerCase() !== user.email?.toLowerCase(),
  )
  if (taken.length > 0) {
    throw new Refusal('user_exists', { fields: taken.map(({ field }) => ({ field, error: 'user_exists' })) })
  }
  const changes = await correctContact(tx, user, { email, mobile }).catch(takenMeanwhile)
  await store(tx, context, 'users.correct_contact', user, changes).catch(takenMeanwhile)
  await settle(tx)
}

/** Throws user_exists when another transaction has taken the email address or number since it was looked up. */
function takenMeanwhile(error: unknown): never {
  if (!isUniqueViolation(error)) throw error
  const field = postgresError(error)?.constraint?.endsWith('mobile') ? 'mobile' : 'email'
  throw new Refusal('user_exists', { fields: [{ field, error: 'user_exists' }] })
}

/** Tells a user, in their language, what an admin decided about their account. */
export type TellDecision = (
  tx: Transaction,
  user: { id: string; version: number },
  decision: { approved: true } | { approved: false; reason: string },
) => Promise<void>

/** Throws invalid_input for a change that needs an account: a guest has no email or approval and stays a rider. */
function refuseForGuest({ email }: UserRow, field: 'approved' | 'email' | 'mobile' | 'usertype'): void {
  if (email !== null) return
  throw new Refusal('invalid_input', { fields: [{ field, error: 'unknown_field' }] })
}

/** Approves a user and tells them. Changes nothing for a user who is approved. */
export async function approveUser(
  tx: Transaction,
  context: AdminContext,
  tell: TellDecision,
  id: string,
  version: number | undefined,
): Promise<void> {
  const { user } = await lockUser(tx, context.actor, id)
  refuseForGuest(user, 'approved')
  await refuseLate(tx, context, user, version, { approved: true }, { judges: true })
  if (user.approved) return
  await store(tx, context, 'users.approve', user, { approved: true, rejection: null })
  await tell(tx, user, { approved: true })
}

/**
 * Withdraws a user's approval, which signs them out. With a reason the account is rejected and the user is told; without
 * one it waits again. Throws last_admin, open_booking.
 */
export async function disapproveUser(
  tx: Transaction,
  context: AdminContext,
  tell: TellDecision,
  id: string,
  { reason, version }: { reason: string | null; version: number | undefined },
): Promise<void> {
  const { user, isLastAdmin } = await lockUser(tx, context.actor, id)
  refuseForGuest(user, 'approved')
  await refuseLate(tx, context, user, version, { approved: false, rejection: reason })
  if (!user.approved && user.rejection === reason) return
  if (isLastAdmin) throw new Refusal('last_admin')
  await refuseOpenTrip(tx, id)
  if (reason === null) await waitAgain(tx, context, id)
  await eraseDevices(tx, id)
  await store(tx, context, 'users.disapprove', user, { approved: false, rejection: reason })
  if (reason !== null) await tell(tx, user, { approved: false, reason })
}

/** From now on the user waits for approval, if they are not approved. Not a field of the audit log. */
const waitAgain = ({ db }: Transaction, { at }: AdminContext, id: string) =>
  db.update(usersTable).set({ waiting_since: at }).where(eq(usersTable.id, id))

/** Changes the user type. Throws last_admin, open_booking. */
export async function changeType(
  tx: Transaction,
  context: AdminContext,
  id: string,
  usertype: Role,
  version: number | undefined,
): Promise<void> {
  const { user, isLastAdmin } = await lockUser(tx, context.actor, id)
  await refuseLate(tx, context, user, version, { usertype })
  if (user.usertype === usertype) return
  refuseForGuest(user, 'usertype')
  if (isLastAdmin) throw new Refusal('last_admin')
  await refuseOpenTrip(tx, id)
  if (user.usertype === 'fleetadmin') await leaveFleet(tx, context.outbox, id)
  const isDriver = usertype === 'driver'
  const driverActiveStatus = isDriver && user.driverActiveStatus
  if (isDriver) await waitAgain(tx, context, id)
  await store(tx, context, 'users.change_type', user, { usertype, fleetadmin: null, driverActiveStatus })
}

/** Adds a driver to a fleet, or removes them from it. Throws not_found for an unknown fleet admin. */
export async function assignFleet(
  tx: Transaction,
  context: AdminContext,
  id: string,
  fleetadmin: string | null,
  version: number | undefined,
): Promise<void> {
  const { user } = await lockUser(tx, context.actor, id)
  await refuseLate(tx, context, user, version, { fleetadmin })
  if (user.usertype !== 'driver') throw new Refusal('not_valid_user_type')
  if (fleetadmin !== null) {
    const [owner] = await tx.db
      .select()
      .from(usersTable)
      .where(eq(usersTable.id, fleetadmin))
      .for('key share')
    if (owner?.usertype !== 'fleetadmin' || owner.deleted_at !== null) throw new Refusal('not_found')
  }
  await store(tx, context, 'users.assign_fleet', user, { fleetadmin })
}

async function store(
  tx: Transaction,
  { outbox, actor, at }: AdminContext,
  action: AuditRecord['action'],
  user: UserRow,
  changes: Partial<UserRow>,
): Promise<void> {
  await tx.db
    .update(usersTable)
    .set({ ...changes, version: sql`${usersTable.version} + 1` })
    .where(eq(usersTable.id, user.id))
  await writeAudit(tx, {
    by: actor.id,
    at,
    action,
    kind: 'user',
    subject: user.id,
    label: fullName(user),
    version: user.version + 1,
    before: { ...user },
    after: { ...user, ...definedFields(changes) },
  })
  const rights = changes.approved !== undefined || changes.usertype !== undefined
  const leaves = changes.fleetadmin !== undefined && changes.fleetadmin !== user.fleetadmin
  await outbox.write(tx, [userChangedEvent(user.id, rights, leaves ? user.fleetadmin : null)])
}
