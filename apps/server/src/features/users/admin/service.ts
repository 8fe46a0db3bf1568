import { randomBytes } from 'node:crypto'
import type { TableCount } from '@hansom/contract/tables'
import {
  type Caller,
  callerTrips,
  type NewUser,
  type Obligations,
  type UserDetails,
  type UserView,
} from '@hansom/contract/users'
import { maskContact } from '@hansom/domain/access/mask-contacts'
import type { Actor } from '@hansom/domain/access/relation'
import { type ErrorKey, Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { isEmail } from '@hansom/domain/users/contact'
import { fullName } from '@hansom/domain/users/full-name'
import type { accountNotices } from '@hansom/domain/users/profile'
import type { Role } from '@hansom/domain/users/roles'
import { z } from 'zod'
import {
  type Images,
  parseStoredPath,
  type Storage,
  type StoredPath,
  storedPath,
} from '../../../adapters/storage/port.ts'
import { writeAudit } from '../../../platform/audit/audit.ts'
import type { Clock } from '../../../platform/clock/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { isForeignKeyViolation } from '../../../platform/database/postgres-errors.ts'
import type { Transaction } from '../../../platform/database/transaction.ts'
import type { SessionActor } from '../../../platform/http/implement.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Outbox } from '../../../platform/outbox/outbox.ts'
import type { TableQuery } from '../../../platform/tables/table.ts'
import type { CorrectContact } from '../../accounts/contact-changes.ts'
import type { Mails } from '../../accounts/mails.ts'
import type { OldPhones } from '../../accounts/normalise-phones.ts'
import type { BookingsService } from '../../bookings/service.ts'
import type { OwnChats } from '../../chats/own-chats.ts'
import type { AddressBook } from '../../deliveries/address-book.ts'
import type { DeliveryClearing } from '../../deliveries/clear-deliveries.ts'
import type { ImportsService } from '../../deliveries/imports.ts'
import type { DevicesService } from '../../devices/service.ts'
import type { MessagesService } from '../../messages/service.ts'
import type { PaymentsService } from '../../payments/service.ts'
import type { ContactsService } from '../../safety/contacts.ts'
import type { SettingsService } from '../../settings/service.ts'
import type { WalletService } from '../../wallet/service.ts'
import type { WithdrawsService } from '../../withdraws/service.ts'
import { findCallers, numberHolder } from '../guests.ts'
import { parsePhone, phoneSearchText } from '../phone-number.ts'
import type { UsersService } from '../service.ts'
import type { UserRow } from '../table.ts'
import { addUser, checkNewUser, type Inviter } from './add-user.ts'
import {
  type AdminContext,
  type AdminUserChanges,
  approveUser,
  assignFleet,
  changeType,
  changeUser,
  correctContacts,
  disapproveUser,
  setLicence,
  type TellDecision,
} from './change-user.ts'
import { allUsers, countUsers, listUsers } from './list-users.ts'
import { lockUser, readObligations } from './lock-user.ts'
import { ownData } from './own-data.ts'
import { canViewPhoto, readUser, readUsers } from './read-users.ts'
import { eraseAccount, type Removal, removeOwn, removeUser } from './remove-user.ts'

/** The version of the record that the actor has read: a later change of the same fields throws conflict. */
type Seen = number | undefined

/** Admin operations on users. All throw not_found for a user the actor may not see. */
export interface UserAdminService {
  list(actor: Actor, query: TableQuery): Promise<{ items: UserView[]; next: string | null }>
  count(actor: Actor, query: TableQuery): Promise<TableCount>
  /** Returns all users in batches. */
  all(actor: Actor, query: TableQuery): AsyncGenerator<UserView[]>
  get(actor: Actor, id: string): Promise<UserDetails>
  /** Adds a user and invites them to set a password. Throws user_exists, and the input's errors. */
  add(actor: Actor, input: NewUser): Promise<UserView>
  /** Finds the riders who call from a number, with what a dispatcher needs for their next booking. */
  callers(actor: Actor, mobile: string): Promise<Caller[]>
  change(actor: Actor, id: string, changes: AdminUserChanges, version: Seen): Promise<UserView>
  approve(actor: Actor, id: string, version: Seen): Promise<UserView>
  /** A reason rejects the account and is told to the user. Throws last_admin, open_booking. */
  disapprove(actor: Actor, id: string, reason: string | null, version: Seen): Promise<UserView>
  /** Throws last_admin, open_booking. */
  changeType(actor: Actor, id: string, usertype: Role, version: Seen): Promise<UserView>
  assignFleet(actor: Actor, id: string, fleetadmin: string | null, version: Seen): Promise<UserView>
  /**
   * Corrects an email address or number; a mobile of null removes it. The new contact is unverified, sessions end, and
   * the old and the new contact are notified. Throws proper_email, mobile_no_blank_error, user_exists.
   */
  correctContact(
    actor: Actor,
    id: string,
    corrected: { email?: string | undefined; mobile?: string | null | undefined },
    version: Seen,
  ): Promise<UserView>
  /**
   * Stores a re-encoded picture of a driver's licence in place of the previous one. Throws not_valid_user_type, conflict,
   * ImageRefused, StorageError.
   */
  setLicence(actor: Actor, id: string, bytes: Uint8Array, version: Seen): Promise<UserView>
  /** Returns users who have the same number in two forms, the one with today's form first. */
  phoneCollisions(actor: Actor): Promise<{ mobile: string; people: UserView[] }[]>
  /** Sends another invitation. Throws wrong_status for a user who has set a password, too_many_requests. */
  invite(actor: Actor, id: string): Promise<void>
  /** What the deletion of a user, or of the actor, must settle first. */
  obligations(actor: Actor, id: string): Promise<Obligations>
  /**
   * Throws last_admin, open_booking, unpaid_booking, open_withdrawal, open_payment, open_debt; and open_balance unless
   * `giveUp` is the balance.
   */
  remove(actor: Actor, id: string, giveUp: Amount): Promise<void>
  /** Deletes the actor's own account. Throws password_needed, and the errors of `remove`. */
  removeOwn(actor: SessionActor, password: string | undefined, giveUp: Amount): Promise<void>
  /** Streams one JSON object with all data about a user. */
  ownData(uid: string): AsyncGenerator<string>
  canViewPhoto(actor: Actor, id: string): Promise<boolean>
}

export interface UserAdminDeps {
  database: Database
  clock: Clock
  jobs: Jobs
  outbox: Outbox
  storage: Storage
  images: Images
  settings: Pick<SettingsService, 'current'>
  users: UsersService
  wallet: WalletService
  withdraws: Pick<WithdrawsService, 'own'>
  messagePreferences: MessagesService['preferences']
  trustedContacts: ContactsService['contacts']
  payments: Pick<PaymentsService, 'own'>
  bookings: Pick<BookingsService, 'list' | 'views' | 'haveShared' | 'outstanding'>
  clearing: Pick<DeliveryClearing, 'clearSender'>
  addressBook: Pick<AddressBook, 'list'>
  imports: Pick<ImportsService, 'own'>
  devices: Pick<DevicesService, 'own'>
  ownChats: Pick<OwnChats, 'list' | 'removePhotos' | 'reports'>
  accounts: Inviter & {
    hashPassword(password: string): Promise<string>
    reauthenticate(actor: SessionActor, password: string | undefined): Promise<void>
    correctContact: CorrectContact
    /** Queues an email; it is sent when `tx` commits. */
    orderMail: Mails['order']
    oldPhones: Pick<OldPhones, 'collisions' | 'settle'>
    /** Throws too_many_requests. */
    limitInvitations(uid: string): Promise<void>
  }
}

const removeFiles = 'people.remove-files'
const erase = 'people.erase'
const eraseLeft = 'people.erase-left'
/** How long one erasure job runs before it enqueues the next one, ms. */
const eraseTurnMs = 60_000
const deliveriesAtOnce = 50
const photosAtOnce = 50
/** Validity of a signed licence URL; pages reload it afterwards. */
const fileSeconds = 300

export function createUserAdminService(deps: UserAdminDeps): UserAdminService {
  const { database, clock, jobs, outbox, storage, settings, accounts } = deps
  jobs.define(removeFiles, { schema: z.object({ uid: z.uuid() }) }, ({ uid }) => storage.removeUser(uid))
  jobs.define(
    erase,
    { schema: z.object({ uid: z.uuid() }), concurrency: 1, timeoutS: 120 },
    async ({ uid }) => {
      const begun = performance.now()
      const isOver = () => performance.now() - begun > eraseTurnMs
      let isDone = false
      do {
        if (isOver()) break
        const deliveries = await deps.clearing.clearSender(uid, deliveriesAtOnce)
        const photos = await deps.ownChats.removePhotos(uid, photosAtOnce)
        isDone = deliveries + photos === 0
      } while (!isDone)
      isDone &&= await eraseAccount({ database, now: () => clock.now(), isOver }, uid)
      if (!isDone) await jobs.send(erase, { uid }, { singletonKey: uid })
    },
  )
  // Finds accounts whose erasure job failed too often.
  jobs.define(eraseLeft, { schema: z.object({}), repeat: { everyS: 3600, data: {} } }, async () => {
    const { rows } = await database.pool.query<{ uid: string }>(
      'select id as uid from users where deleted_at is not null and erased_at is null limit 100',
    )
    for (const { uid } of rows) await jobs.send(erase, { uid }, { singletonKey: uid })
  })

  const fileUrl = (stored: string) => {
    const path = parseStoredPath(stored)
    return path === null ? null : storage.signedUrl(path, fileSeconds)
  }
  const removal = async (): Promise<Removal> => ({
    outbox,
    now: clock.now(),
    wallet: deps.wallet,
    currency: (await settings.current()).code,
    erase: async (tx, uid) => {
      await jobs.send(removeFiles, { uid }, { tx })
      await jobs.send(erase, { uid }, { singletonKey: uid, tx })
    },
  })
  const hidesContacts = async () => !(await settings.current()).AllowCriticalEditsAdmin
  const shown = async () => ({ hidesContacts: await hidesContacts(), fileUrl })
  const listed = async () => ({ ...(await shown()), timezone: (await settings.current()).timezone })
  const searched = async (query: TableQuery): Promise<TableQuery> =>
    query.q === undefined
      ? query
      : { ...query, q: phoneSearchText(query.q, (await settings.current()).country) }
  const tell: TellDecision = async (tx, { id, version }, decision) => {
    const notice: (typeof accountNotices)[number] = decision.approved
      ? 'account_approved'
      : 'account_rejected'
    await accounts.orderMail(
      decision.approved
        ? { kind: 'account_approved', uid: id }
        : { kind: 'account_rejected', uid: id, reason: decision.reason },
      tx,
    )
    await deps.users.notify(tx, [
      {
        user_id: id,
        at: clock.now(),
        title: `notify.${notice}.title`,
        msg: `notify.${notice}.msg`,
        params: decision.approved ? {} : { reason: decision.reason },
        screen: 'profile',
        dedupe: `${notice}:${id}:${version}`,
      },
    ])
  }
  /** Runs a command on a user and returns the result. */
  const command = async (
    actor: Actor,
    id: string,
    work: (tx: Transaction, context: AdminContext) => Promise<void>,
  ): Promise<UserView> => {
    const options = await shown()
    return database
      .withTransaction(async (tx) => {
        const view = ({ db }: Transaction) => readUser(db, actor, id, options)
        await work(tx, { outbox, actor, at: clock.now(), view })
        return view(tx)
      })
      .catch(unknownCarType)
  }

  return {
    list: async (actor, query) => listUsers(database.db, actor, await searched(query), await listed()),
    count: async (actor, query) => countUsers(database.db, actor, await searched(query), await listed()),
    async *all(actor, query) {
      yield* allUsers(database.db, actor, await searched(query), await listed())
    },
    get: async (actor, id) => readUser(database.db, actor, id, await shown()),
    add: async (actor, input) => {
      const { country } = await settings.current()
      checkNewUser(actor, input, country)
      const passwordHash = await accounts.hashPassword(randomBytes(24).toString('base64url'))
      return database
        .withTransaction(async (tx) => {
          const made = { passwordHash, now: clock.now(), country }
          const uid = await addUser(tx, accounts, actor, input, made)
          return readUser(tx.db, actor, uid, await shown())
        })
        .catch(unknownCarType)
    },
    callers: async (actor, text) => {
      const { country } = await settings.current()
      const mobile = parsePhone(text, country)
      if (mobile === null || (await hidesContacts())) return []
      const found = await findCallers(database.db, mobile)
      return Promise.all(found.map((user) => callerView(deps, actor, user)))
    },
    change: (actor, id, changes, version) =>
      command(actor, id, (tx, context) => changeUser(tx, context, id, changes, version)),
    approve: (actor, id, version) =>
      command(actor, id, (tx, context) => approveUser(tx, context, tell, id, version)),
    disapprove: (actor, id, reason, version) =>
      command(actor, id, (tx, context) => disapproveUser(tx, context, tell, id, { reason, version })),
    changeType: async (actor, id, usertype, version) => {
      return command(actor, id, (tx, context) => changeType(tx, context, id, usertype, version))
    },
    assignFleet: (actor, id, fleetadmin, version) =>
      command(actor, id, (tx, context) => assignFleet(tx, context, id, fleetadmin, version)),
    correctContact: async (actor, id, { email, mobile }, version) => {
      if (email !== undefined && !isEmail(email)) throw fieldRefusal('proper_email', 'email')
      const e164 = mobile ? parsePhone(mobile, (await settings.current()).country) : mobile
      if (mobile && e164 === null) throw fieldRefusal('mobile_no_blank_error', 'mobile')
      const { correctContact, oldPhones } = accounts
      const correction = {
        correctContact,
        settle: oldPhones.settle,
        email: email?.toLowerCase(),
        mobile: e164,
      }
      return command(actor, id, (tx, context) => correctContacts(tx, context, id, correction, version))
    },
    setLicence: async (actor, id, bytes, version) => {
      const { usertype } = await readUser(database.db, actor, id, await shown())
      if (usertype !== 'driver') throw new Refusal('not_valid_user_type')
      const { bytes: drawn, contentType } = await deps.images.prepare(bytes)
      let stored: StoredPath | null = null
      let replaced: string | null = null
      const put = async () => {
        stored = storedPath.driverDocument(id, Math.floor(clock.now()))
        await storage.put(stored, drawn, contentType)
        return stored
      }
      try {
        const user = await command(actor, id, async (tx, context) => {
          replaced = await setLicence(tx, context, id, put, version)
        })
        const old = replaced === null ? null : parseStoredPath(replaced)
        if (old !== null && old !== stored) await storage.remove(old)
        return user
      } catch (error) {
        if (stored !== null) await storage.remove(stored)
        throw error
      }
    },
    phoneCollisions: async (actor) => {
      const options = await shown()
      const found = await accounts.oldPhones.collisions()
      return Promise.all(
        found.map(async ({ mobile, uids }) => ({
          mobile: maskContact(mobile, 'rider', options.hidesContacts),
          people: await readUsers(database.db, actor, uids, options),
        })),
      )
    },
    invite: async (actor, id) => {
      const { commands } = await readUser(database.db, actor, id, await shown())
      if (!commands.includes('invite')) throw new Refusal('wrong_status')
      await accounts.limitInvitations(id)
      await database.withTransaction(async (tx) => {
        const { user } = await lockUser(tx, actor, id)
        await accounts.invite(tx, id)
        const label = fullName(user)
        const done = { by: actor.id, at: clock.now(), action: 'users.invite' } as const
        await writeAudit(tx, { ...done, kind: 'user', subject: id, label, before: null, after: null })
      })
    },
    obligations: async (actor, id) => {
      const isOwn = actor.id === id
      if (!isOwn) await readUser(database.db, actor, id, await shown())
      const found = await database.withTransaction((tx) => readObligations(tx, id))
      return { ...found, balance: isOwn || actor.role === 'admin' ? found.balance : null }
    },
    remove: async (actor, id, giveUp) => {
      const how = await removal()
      await database.withTransaction((tx) => removeUser(tx, how, actor, id, giveUp))
    },
    removeOwn: async (actor, password, giveUp) => {
      await accounts.reauthenticate(actor, password)
      const how = await removal()
      await database.withTransaction((tx) => removeOwn(tx, how, actor.id, giveUp))
    },
    ownData: (uid) => ownData({ ...deps, pool: database.pool }, uid, clock.now()),
    canViewPhoto: (actor, id) => canViewPhoto(deps, actor, id),
  }
}

async function callerView(
  { users, bookings }: Pick<UserAdminDeps, 'users' | 'bookings'>,
  actor: Actor,
  user: UserRow,
): Promise<Caller> {
  const { id: uid, firstName, lastName, mobile, walletBalance } = user
  const [places, trips, { total }] = await Promise.all([
    users.savedAddresses(uid),
    bookings.list(actor, { customer: uid, limit: callerTrips }),
    bookings.outstanding({ id: uid, role: 'rider', approved: true }),
  ])
  return {
    uid,
    walletBalance,
    mobile: mobile ?? '',
    name: fullName({ firstName, lastName }),
    ...numberHolder(user),
    approved: user.approved,
    outstanding: total,
    places: places.map(({ description, lat, lng }) => ({ add: description, lat, lng })),
    trips: trips.items.map(({ id, booking_id, status, tripdate, pickup, drop, ...trip }) => ({
      id,
      booking_id,
      status,
      tripdate,
      pickup,
      drop,
      car_type_id: trip.car_type_id,
      carType: trip.carType,
      payment_mode: trip.payment_mode,
    })),
  }
}

function unknownCarType(error: unknown): never {
  if (!isForeignKeyViolation(error, 'users_car_type_id_car_types_id_fk')) throw error
  throw new Refusal('invalid_input', { fields: [{ field: 'car_type_id', error: 'not_in_list' }] })
}

const fieldRefusal = (key: ErrorKey, field: string) => new Refusal(key, { fields: [{ field, error: key }] })
