import type { NewUser } from '@hansom/contract/users'
import type { Actor } from '@hansom/domain/access/relation'
import { mayAdd } from '@hansom/domain/access/user-commands'
import { type ErrorKey, type FieldError, Refusal } from '@hansom/domain/error-keys'
import { isEmail } from '@hansom/domain/users/contact'
import { type NewUserFields, newUserFields, unwritable } from '@hansom/domain/users/field-views'
import { type UserFieldRule, userFields } from '@hansom/domain/users/fields'
import { fullName } from '@hansom/domain/users/full-name'
import { writeAudit } from '../../../platform/audit/audit.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { NewAccount, NewUserRow } from '../../accounts/service.ts'
import { parsePhone } from '../phone-number.ts'
import { refuseBlankNames } from '../profile.ts'

/** The parts of the accounts service that adding a user needs. */
export interface Inviter {
  createAccount(tx: Transaction, account: NewAccount): Promise<string>
  /** Orders the email with the link to set a password; it is sent when `tx` commits. */
  invite(tx: Transaction, uid: string): Promise<void>
}

/**
 * Validates an admin's input. Throws proper_input_name, proper_email, mobile_no_blank_error, and invalid_input for a
 * user type or field that the actor may not set. A mobile without a dial prefix belongs to `country`.
 */
export function checkNewUser(actor: Actor, input: NewUser, country: string): void {
  refuseBlankNames(input)
  if (!isEmail(input.email)) throw refused('proper_email', 'email')
  if (input.mobile && parsePhone(input.mobile, country) === null)
    throw refused('mobile_no_blank_error', 'mobile')
  if (!mayAdd(actor.role, input.usertype)) throw refused('invalid_input', 'usertype', 'not_in_list')
  const relation = actor.role === 'admin' ? 'admin' : 'fleetadmin'
  const { usertype: _usertype, email: _email, mobile: _mobile, ...direct } = input
  const given = Object.entries(direct).filter(([, value]) => value !== undefined && value !== null)
  const [foreign] = unwritable(
    given.map(([field]) => field),
    relation,
  )
  if (foreign !== undefined) throw refused('invalid_input', foreign, 'unknown_field')
}

/**
 * Adds a validated user and invites them to set a password. A fleet admin's driver joins the fleet and waits for an
 * admin's approval. Throws user_exists. `passwordHash` is of an unknown random password.
 */
export async function addUser(
  tx: Transaction,
  accounts: Inviter,
  actor: Actor,
  input: NewUser,
  { passwordHash, now, country }: { passwordHash: string; now: number; country: string },
): Promise<string> {
  const isDriver = input.usertype === 'driver'
  const user: NewUserRow = {
    ...fieldsOf(input),
    createdAt: now,
    email: input.email.toLowerCase(),
    mobile: input.mobile ? parsePhone(input.mobile, country) : null,
    usertype: input.usertype,
    approved: actor.role === 'admin',
    createdByAdmin: true,
    fleetadmin: isDriver && actor.role === 'fleetadmin' ? actor.id : null,
    ...(isDriver && { driverActiveStatus: true }),
  }
  const uid = await accounts.createAccount(tx, { user, passwordHash, emailVerified: false })
  await accounts.invite(tx, uid)
  const label = fullName(user)
  const done = { by: actor.id, at: now, action: 'users.create' } as const
  await writeAudit(tx, { ...done, kind: 'user', subject: uid, label, before: null, after: { ...user } })
  return uid
}

/** The fields as they are stored; those of vehicles only for drivers. */
function fieldsOf(input: NewUser) {
  const isAsked = (rule: UserFieldRule) => rule.group !== 'vehicle' || input.usertype === 'driver'
  const asked = newUserFields.filter((field) => isAsked(userFields[field]))
  return Object.fromEntries(asked.map((field) => [field, input[field] ?? null])) as NewUserFields
}

function refused(key: ErrorKey, field: string, error: FieldError['error'] = key): Refusal {
  return new Refusal(key, { fields: [{ field, error }] })
}
