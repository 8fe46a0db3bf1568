import type {
  BookingChangeInput,
  BookingRequest,
  BookingRow,
  BookingView,
  OutstandingView,
} from '@hansom/contract/bookings'
import type { TableCount } from '@hansom/contract/tables'
import { can } from '@hansom/domain/access/permissions'
import { type Actor, relationTo } from '@hansom/domain/access/relation'
import { partiesOf, viewBooking } from '@hansom/domain/access/visible-booking'
import type { CommandAuthor } from '@hansom/domain/bookings/booking'
import { type CancellationQuote, cancellationQuote, mayCancelNow } from '@hansom/domain/bookings/cancel'
import type { BookingEvent, EventChange } from '@hansom/domain/bookings/decision'
import { type BookingStatus, drivingStatuses } from '@hansom/domain/bookings/status'
import { mayCommand } from '@hansom/domain/bookings/transitions'
import { toListed } from '@hansom/domain/deliveries/listed-delivery'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import type { Settings } from '@hansom/domain/settings/settings'
import type { EventActor } from '@hansom/domain/users/roles'
import type { Pool, PoolClient } from 'pg'
import { type Replica, type ReportSource, reportsFrom } from '../../platform/database/replica.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import { phoneSearchText } from '../users/phone-number.ts'
import { changedBesideEvent } from './booking-changed-event.ts'
import { quoteChange } from './change-booking.ts'
import { type BookingCommands, bookingCommands, type PeopleCommandDeps } from './commands.ts'
import { createBooking } from './create-booking.ts'
import { estimateFare, makeOffers, type OfferDeps } from './offers.ts'
import { type BookingSystemCommands, bookingSystemCommands } from './run-command.ts'
import {
  allBookings,
  countBookings,
  listBookings,
  noFigures,
  readFigures,
  readUnreadMessages,
} from './store/list-bookings.ts'
import { type BookingWithRequests, readBooking, readBookings } from './store/read-bookings.ts'
import { haveShared, readEvents, readLeavings, readLeftDriver } from './store/read-events.ts'
import { readOutstanding } from './store/read-outstanding.ts'
import { bookingEventsTable } from './table.ts'

export type BookingsDeps = OfferDeps &
  PeopleCommandDeps & { database: ReportSource; replica?: Replica | undefined }

export interface BookingsService {
  commands: BookingCommands
  /** Commands of the platform itself. */
  system: BookingSystemCommands
  offers(pickup: LatLng, drop: LatLng, more?: Parameters<typeof makeOffers>[3]): ReturnType<typeof makeOffers>
  estimate(request: Parameters<typeof estimateFare>[1]): ReturnType<typeof estimateFare>
  create(actor: Actor, request: BookingRequest, key: string | null): Promise<BookingWithRequests>
  /** Throws not_found for strangers as for unknown bookings. */
  get(actor: Actor, id: string): Promise<BookingWithRequests>
  /** Any booking without a permission check, or null. The caller checks permissions. */
  read(id: string): Promise<BookingWithRequests | null>
  /** Like `read` for several bookings, in one statement; unknown ids are left out. */
  readMany(ids: readonly string[]): Promise<Map<string, BookingWithRequests>>
  list(actor: Actor, query: TableQuery): Promise<{ items: BookingRow[]; next: string | null }>
  /** A page of complete views. */
  views(actor: Actor, query: TableQuery): Promise<{ items: BookingView[]; next: string | null }>
  count(actor: Actor, query: TableQuery): Promise<TableCount>
  /** All bookings, a batch at a time. */
  all(actor: Actor, query: TableQuery): AsyncGenerator<BookingRow[]>
  /** The booking as the change would leave it. Throws what the command throws. */
  quoteChange(actor: Actor, change: BookingChangeInput): Promise<BookingWithRequests>
  /** The user's outstanding amount and its parts. */
  outstanding(actor: Actor): Promise<OutstandingView>
  events(actor: Actor, id: string): ReturnType<typeof readEvents>
  /**
   * True if one was the driver or rider of a booking whose rider, driver or fleet admin was the other, and the booking is
   * open or ended after `since`.
   */
  haveShared(user: string, other: string, since: number): Promise<boolean>
  /** The driver whom a booking lost after their acceptance, and when, if that was not before `since`. */
  leftDriver(id: string, since: number, queries?: Pool | PoolClient): ReturnType<typeof readLeftDriver>
  /** When drivers left these bookings after their acceptance, each for the last time. */
  leavings(ids: readonly string[]): ReturnType<typeof readLeavings>
  /** The current cancellation cost for the user. */
  cancellation(actor: Actor, id: string): Promise<CancellationQuote>
  /** The booking as the user sees it. Throws not_found for strangers. */
  view(actor: Actor, record: BookingWithRequests): Promise<BookingView>
}

export function createBookingsService(deps: BookingsDeps): BookingsService {
  const { clock, settings } = deps
  const { pool } = deps.database

  const get = async (actor: Actor, id: string) => {
    const record = await readBooking(pool, id, clock.now())
    if (!record || !can(actor, 'booking.see', partiesOf(record))) throw new Refusal('not_found')
    return record
  }

  /** A query with a phone number in its stored form, and its context. */
  const asked = (query: TableQuery, { country, timezone, AllowCriticalEditsAdmin }: Settings) => {
    const q = query.q === undefined ? {} : { q: phoneSearchText(query.q, country) }
    const context = { now: clock.now(), timezone, hidesContacts: !AllowCriticalEditsAdmin }
    return [{ ...query, ...q }, context] as const
  }

  const rowsOf = async (
    actor: Actor,
    records: readonly BookingWithRequests[],
    current: Settings,
  ): Promise<BookingRow[]> => {
    const { role } = actor
    const ids = records.map(({ booking }) => booking.id)
    const figures = await readFigures(deps.database, role === 'admin' ? ids : [])
    const unread =
      role === 'rider' || role === 'driver'
        ? await readUnreadMessages(deps.database, role, ids)
        : new Map<string, number>()
    return records.flatMap((record) => {
      const view = viewBooking(record, actor, current)
      if (view === null) return []
      const unread_messages = unread.get(view.id) ?? 0
      return [
        {
          ...view,
          delivery: toListed(view.delivery),
          ...noFigures,
          ...figures.get(view.id),
          unread_messages,
        },
      ]
    })
  }

  return {
    commands: bookingCommands(deps),
    system: bookingSystemCommands(deps),
    offers: (pickup, drop, more = {}) => makeOffers(deps, pickup, drop, more),
    estimate: (request) => estimateFare(deps, request),
    create: (actor, request, key) => createBooking(deps, actor, request, key),
    get,
    read: (id) => readBooking(pool, id, clock.now()),
    readMany: (ids) => readBookings(pool, ids, clock.now()),

    async list(actor, query) {
      const current = await settings.current()
      const page = await listBookings(deps.database, actor, ...asked(query, current))
      return { items: await rowsOf(actor, page.items, current), next: page.next }
    },

    async views(actor, query) {
      const current = await settings.current()
      const page = await listBookings(deps.database, actor, ...asked(query, current))
      const items = page.items.flatMap((record) => viewBooking(record, actor, current) ?? [])
      return { items, next: page.next }
    },

    async count(actor, query) {
      return countBookings(deps.database, actor, ...asked(query, await settings.current()))
    },

    async *all(actor, query) {
      const current = await settings.current()
      for await (const batch of allBookings(reportsFrom(deps), actor, ...asked(query, current))) {
        yield await rowsOf(actor, batch, current)
      }
    },

    quoteChange: (actor, change) => quoteChange(deps, actor, change),
    outstanding: async (actor) => readOutstanding(pool, actor, await settings.current()),

    async events(actor, id) {
      const record = await get(actor, id)
      if (!can(actor, 'booking.events', partiesOf(record))) throw new Refusal('not_found')
      return readEvents(pool, id)
    },

    leftDriver: (id, since, queries = pool) => readLeftDriver(queries, id, since),
    leavings: (ids) => readLeavings(pool, ids),
    haveShared: (user, other, since) => haveShared(pool, user, other, since),

    async cancellation(actor, id) {
      const record = await get(actor, id)
      const relation = relationTo(partiesOf(record), actor)
      if (!relation || relation === 'requested') throw new Refusal('not_found')
      if (relation === 'fleetadmin' || !mayCommand(relation, 'cancel', record.booking.status)) {
        throw new Refusal('wrong_status')
      }
      if (!mayCancelNow(relation, await settings.current())) throw new Refusal('demo_mode')
      return cancellationQuote(record.booking, relation, clock.now())
    },

    async view(actor, record) {
      const view = viewBooking(record, actor, await settings.current())
      if (!view) throw new Refusal('not_found')
      return view
    },
  }
}

/** The people of a booking, by which a conversation is found. */
export interface BookingPeople {
  id: string
  /** The code shown to people. */
  booking_id: string
  status: BookingStatus
  customer: string
  customer_name: string
  /** False for a caller without an account. */
  has_account: boolean
  driver: string | null
  driver_name: string | null
}

/**
 * Reads the people of bookings. With `share`, no command changes them until the transaction ends; other readers with `share`
 * do not wait.
 */
export async function readPeople(
  queries: Pool | PoolClient,
  ids: readonly string[],
  share = false,
): Promise<Map<string, BookingPeople>> {
  const { rows } = await queries.query<BookingPeople>({
    name: share ? 'bookings-people-share' : 'bookings-people',
    text: `select b.id, b.booking_id, b.status, b.customer, b.customer_name, b.driver, b.driver_name,
        exists (select from user_facts u where u.id = b.customer and u.email is not null) as has_account
      from bookings b where b.id = any($1::uuid[]) ${share ? 'for share of b' : ''}`,
    values: [ids],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Makes a guest's bookings those of a user. Their new versions make concurrent commands read the new rider. An active trip whose
 * masked number the user or its driver already calls for another one loses it.
 */
export async function takeOverBookings(
  { outbox }: { outbox: Pick<Outbox, 'write'> },
  tx: Transaction,
  { guest, user, email }: { guest: string; user: string; email: string },
  at: number,
): Promise<void> {
  const { rows } = await tx.client.query<{ id: string; version: number; status: BookingStatus }>(
    `update bookings set customer = $2, customer_email = $3, version = version + 1,
        call_number = case when call_number <> '' and status = any($4) and trip_line_taken($2, driver, call_number, id)
          then '' else call_number end
      where customer = $1
      returning id, version, status`,
    [guest, user, email, drivingStatuses],
  )
  await outbox.write(
    tx,
    rows.map((row) => changedBesideEvent(row, { at, by: { role: 'rider', id: user }, command: 'take_over' })),
  )
}

/** Reads a booking and locks it until the transaction ends: commands on it wait. Null if there is none. */
export async function lockBooking(
  tx: Transaction,
  id: string,
  now: number,
): Promise<BookingWithRequests | null> {
  await tx.client.query('select from bookings where id = $1 for no key update', [id])
  return readBooking(tx.client, id, now)
}

/**
 * Publishes a locked booking to its parties after something beside it has changed, an image or the instructions of a stop,
 * and adds it to the booking's history. Its new version makes concurrent commands decide again.
 */
export async function publishBeside(
  { outbox }: { outbox: Pick<Outbox, 'write'> },
  tx: Transaction,
  id: string,
  {
    at,
    by: { role, id: by_user },
    command,
    changes,
  }: Pick<BookingEvent, 'at' | 'command'> & {
    by: { role: EventActor; id: string | null }
    changes: EventChange[]
  },
): Promise<void> {
  const { rows } = await tx.client.query<{ id: string; version: number; status: BookingStatus }>(
    'update bookings set version = version + 1 where id = $1 returning id, version, status',
    [id],
  )
  const by: CommandAuthor = { role: role === 'recipient' ? 'system' : role, id: by_user }
  for (const { version, status } of rows) {
    const row = {
      booking_id: id,
      version,
      at,
      actor: role,
      by_user,
      command,
      from: status,
      to: status,
      changes,
    }
    await tx.db.insert(bookingEventsTable).values(row)
  }
  await outbox.write(
    tx,
    rows.map((row) =>
      changedBesideEvent(row, { at, by, command, stops: changes.map(({ to }) => Number(to)) }),
    ),
  )
}

/** How often the history of a booking has this change by a command. */
export async function countBeside(
  tx: Transaction,
  id: string,
  command: string,
  change: EventChange,
): Promise<number> {
  const { rows } = await tx.client.query<{ times: number }>(
    `select count(*)::int as times from booking_events
      where booking_id = $1 and command = $2 and changes @> $3::jsonb`,
    [id, command, JSON.stringify([change])],
  )
  return rows[0]?.times ?? 0
}
