import type { registration } from '@hansom/contract/accounts'
import {
  bankDetails,
  checkDriverFields,
  checkSignUp,
  isApprovedAtOnce,
} from '@hansom/domain/accounts/sign-up'
import { Refusal } from '@hansom/domain/error-keys'
import { userTextFields } from '@hansom/domain/users/field-views'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { uuidv7 } from 'uuidv7'
import type { z } from 'zod'
import { type Storage, type StoredPath, storedPath } from '../../adapters/storage/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Queries, Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { carTypesTable } from '../car-types/table.ts'
import type { SettingsService } from '../settings/service.ts'
import { normalizePhone } from '../users/phone-number.ts'
import { usersTable } from '../users/table.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { Attempts } from './attempts.ts'
import { createAccount, findClashes, findReferrer, hashInQueue, type NewAccount } from './create-account.ts'
import type { Mails } from './mails.ts'
import type { Uploads } from './uploads.ts'
import { limitKeyOf, type Visitor } from './visitor.ts'

/** The input of a sign-up. `mobile` includes the country code; null when it is invalid. */
export interface SignUpRequest extends Omit<z.infer<typeof registration>, 'mobile' | 'createdAt'> {
  mobile: string | null
}

export interface SignedUp {
  uid: string
  approved: boolean
  emailToVerify: boolean
}

export interface SignUpDeps {
  database: Database
  clock: Clock
  settings: SettingsService
  attempts: Attempts
  mails: Mails
  uploads: Uploads
  storage: Storage
  outbox: Pick<Outbox, 'write'>
}

/**
 * Creates an account for a rider or driver. Throws the first refusal in the form's order: proper_input_name,
 * proper_email, the password's, mobile_no_blank_error, missing vehicle fields (only with `driverFields`), user_exists
 * (email_or_mobile_issue when the check fails), referer_not_found; and reg_error when the account could not be created.
 */
export function signUp(deps: SignUpDeps) {
  const { database, clock, settings, attempts, mails, uploads, storage, outbox } = deps

  return async (
    input: SignUpRequest,
    visitor: Visitor,
    options: { driverFields: boolean },
  ): Promise<SignedUp> => {
    const mobile = input.mobile === null ? null : normalizePhone(input.mobile)
    const request = { ...input, mobile, email: input.email.trim() }
    checkSignUp(request)
    const isDriver = request.usertype === 'driver'
    if (isDriver && options.driverFields) checkDriverFields(request)
    await attempts.attempt('signUps', limitKeyOf(visitor))
    const current = await settings.current()
    if (current.email_verify) await mails.refuseWhenFull()
    await refuseTaken(database.db, request)
    const referrer = await referrerOf(database.db, request)
    const vehicle = isDriver ? await vehicleOf(database.db, request) : {}
    await attempts.attempt('newAccounts', limitKeyOf(visitor))
    const passwordHash = await hashInQueue(request.password, limitKeyOf(visitor))
    const approved = isApprovedAtOnce(request.usertype, current)
    const id = uuidv7()
    const account: NewAccount = {
      user: {
        id,
        firstName: request.firstName.trim(),
        lastName: request.lastName.trim(),
        email: request.email,
        mobile: request.mobile,
        usertype: request.usertype,
        approved,
        createdAt: clock.now(),
        signupViaReferral: referrer,
        locale: request.locale ?? null,
        ...bankDetails(request, current),
        ...vehicle,
      },
      passwordHash,
      emailVerified: false,
    }
    const licence = isDriver ? request.licenseImage?.trim() : undefined
    let stored: StoredPath | undefined
    const store = async (tx: Transaction, uploadId: string) => {
      const { bytes, contentType } = await uploads.claim(tx, uploadId)
      const path = storedPath.driverDocument(id, Math.floor(clock.now()))
      stored = path
      await storage.put(path, bytes, contentType)
      await tx.db.update(usersTable).set({ licenseImage: path }).where(eq(usersTable.id, id))
    }
    try {
      await database.withTransaction(async (tx) => {
        await createAccount(tx, account)
        if (licence) await store(tx, licence)
        await outbox.write(tx, [userChangedEvent(id)])
        if (current.email_verify) await mails.order({ kind: 'verify_email', uid: id }, tx)
      })
    } catch (error) {
      if (stored !== undefined) await storage.remove(stored).catch(() => {})
      throw error instanceof Refusal ? error : new Refusal('reg_error', { cause: error })
    }
    await attempts.undo('signUps', limitKeyOf(visitor))
    return { uid: id, approved, emailToVerify: current.email_verify }
  }
}

async function refuseTaken(queries: Queries, { email, mobile }: SignUpRequest): Promise<void> {
  const clashes = await findClashes(queries, { email, mobile: mobile ?? undefined })
  if (clashes.length === 0) return
  throw new Refusal('user_exists', { fields: clashes.map(({ field }) => ({ field, error: 'user_exists' })) })
}

async function referrerOf(queries: Queries, request: SignUpRequest): Promise<string | null> {
  const { referralId, signupViaReferral } = request
  if (signupViaReferral !== undefined) {
    const [found] = await queries
      .select({ id: usersTable.id })
      .from(usersTable)
      .where(and(eq(usersTable.id, signupViaReferral), isNull(usersTable.deleted_at)))
    if (found === undefined) throw new Refusal('referer_not_found')
    return found.id
  }
  if ((referralId ?? '').trim() === '') return null
  const found = await findReferrer(queries, referralId ?? '')
  if (found === null) {
    throw new Refusal('referer_not_found', { fields: [{ field: 'referralId', error: 'referer_not_found' }] })
  }
  return found
}

/** Returns the driver's vehicle columns. Drivers start offline. */
async function vehicleOf(queries: Queries, request: SignUpRequest) {
  const text = (value: string | undefined) => value?.trim() || null
  const name = text(request.carType)
  // A removed car type keeps its name, which a new type may have taken.
  const [carType] =
    name === null
      ? []
      : await queries
          .select({ id: carTypesTable.id })
          .from(carTypesTable)
          .where(and(sql`lower(${carTypesTable.name}) = lower(${name})`, isNull(carTypesTable.archived_at)))
  if (name !== null && carType === undefined) {
    throw new Refusal('invalid_input', { fields: [{ field: 'carType', error: 'not_in_list' }] })
  }
  return {
    car_type_id: carType?.id ?? null,
    ...Object.fromEntries(userTextFields('vehicle').map((field) => [field, text(request[field])])),
  }
}
