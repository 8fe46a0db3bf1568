import { createHmac } from 'node:crypto'
import type { TrustedContact } from '@hansom/contract/safety'
import { type Actor, relationTo } from '@hansom/domain/access/relation'
import { sharedTrip } from '@hansom/domain/access/shared-trip'
import { partiesOf } from '@hansom/domain/access/visible-booking'
import { Refusal } from '@hansom/domain/error-keys'
import { maxSmsSegments } from '@hansom/domain/messages/sms-length'
import { channelsTo, contactCauses, shareLimits, wantsMessage } from '@hansom/domain/safety/trusted-contacts'
import { fullName } from '@hansom/domain/users/full-name'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import type { Mail } from '../../adapters/mail/port.ts'
import type { Sms } from '../../adapters/sms/port.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { TryLater } from '../../platform/jobs/worker.ts'
import type { Log } from '../../platform/log/log.ts'
import type { MessageCounts } from '../../platform/mailbox/message-counts.ts'
import { eachInTurn } from '../../platform/outbox/event.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import { readPeople } from '../bookings/service.ts'
import { ignorePermanent } from '../messages/ignore-permanent.ts'
import type { SendOnce } from '../messages/send-once.ts'
import type { MessagesService } from '../messages/service.ts'
import type { Writers } from '../messages/write-messages.ts'
import { nameInText } from '../trip-links/recipient-texts.ts'
import type { TripLinksService } from '../trip-links/service.ts'
import type { ContactsService } from './contacts.ts'
import type { SafetyDeps } from './deps.ts'
import type { TimedPoint } from './store.ts'
import { mailOf, paramsOf, textOf } from './write-to-contacts.ts'

export interface ContactMessagesDeps extends SafetyDeps {
  mail: Mail
  sms: Sms
  /** Takes the messages of a demo, which must not reach strangers. */
  mailbox: { mail: Mail; sms: Sms }
  demo: boolean
  log: Pick<Log, 'warn'>
  writers: Writers
  sendOnce: SendOnce
  messages: Pick<MessagesService, 'refuseUrl'>
  messageCounts: Pick<MessageCounts, 'hasRoom'>
  tripLinks: Pick<TripLinksService, 'createOnce'>
  contacts: Pick<ContactsService, 'contacts' | 'digest'>
  authSecret: string
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

/** Messages to trusted contacts about a trip. */
export interface ContactMessages {
  /** Sends the trip's link to the rider's contacts; returns their names. Throws not_found, link_expired, too_many_requests, conflict, message_limit. */
  share(actor: Actor, booking: string, key: string | null): Promise<string[]>
  /** Informs the contacts of someone who called for help, as they chose, in the transaction of the alarm. */
  informOfHelp(
    tx: Transaction,
    help: { user: string; booking: string; event: string; point: TimedPoint | null },
  ): Promise<void>
}

const job = 'safety.inform-contacts'
/** Has its own workers: a call for help does not wait for links of trips. */
const helpJob = 'safety.inform-of-help'
/** `occasion`: what each contact is informed of once. `point`: where someone was when they called for help. */
const order = z.object({
  occasion: z.string(),
  cause: z.enum(contactCauses),
  user: z.uuid(),
  booking: z.uuid(),
  // Those of an earlier release have no time.
  point: z.object({ lat: z.number(), lng: z.number(), at: z.number() }).nullable().catch(null),
})
type Order = z.infer<typeof order>

export function createContactMessages(deps: ContactMessagesDeps): ContactMessages {
  const { database, clock, jobs, outbox, bookings, contacts } = deps
  for (const name of [job, helpJob]) {
    jobs.define(name, { schema: order, concurrency: 2 }, (data) => inform(deps, data))
  }

  outbox.onBatch(bookingChanged, async (events, tx) => {
    const started = events.filter(({ payload }) => {
      const { from, to } = readBookingChange(payload)
      return to === 'STARTED' && from !== 'STARTED'
    })
    if (started.length === 0) return
    const trips = await readPeople(
      tx.client,
      started.map(({ payload }) => readBookingChange(payload).booking),
    )
    await eachInTurn(started, async ({ payload }) => {
      const trip = trips.get(readBookingChange(payload).booking)
      if (trip === undefined) return
      const { id, customer: user } = trip
      const of = { user, booking: id, point: null }
      const data = { ...of, occasion: `${id} started`, cause: 'started' } satisfies Order
      await jobs.send(job, data, { tx, singletonKey: data.occasion })
    })
  })

  return {
    async share(actor, id, key) {
      const record = await bookings.get(actor, id)
      if (relationTo(partiesOf(record), actor) !== 'rider') throw new Refusal('not_found')
      if (sharedTrip(record.booking) === null) throw new Refusal('link_expired')
      const wanting = (await contacts.contacts(actor.id)).filter((one) => wantsMessage(one, 'asked'))
      if (wanting.length === 0) throw new Refusal('conflict')
      // Whom a daily limit holds back is not named as informed.
      const reachable = (await Promise.all(wanting.map((one) => hasRoom(deps, actor.id, one)))).flat()
      const now = clock.now()
      const command = { user: actor.id, command: 'safety.share', key, body: { id }, at: now }
      await database.withTransaction((tx) =>
        idempotent(tx, command, async () => {
          if (reachable.length === 0) throw new Refusal('message_limit')
          await countPress(tx, id, now)
          const press = uuidv7()
          const of = { user: actor.id, booking: id, point: null }
          const data = { ...of, occasion: `${id} ${press}`, cause: 'asked' } satisfies Order
          await jobs.send(job, data, { tx })
          return press
        }),
      )
      // A repeat of a press that used up the limit.
      return reachable.length > 0 ? reachable : wanting.map(({ name }) => name)
    },

    async informOfHelp(tx, { user, booking, event, point }) {
      const data = { occasion: `${event} help ${user}`, cause: 'help', user, booking, point } satisfies Order
      await jobs.send(helpJob, data, { tx, singletonKey: data.occasion })
    },
  }
}

/** The contact's name, if the daily limits leave room for the link to them. */
async function hasRoom({ messageCounts }: ContactMessagesDeps, person: string, contact: TrustedContact) {
  const [channel] = channelsTo(contact, 'asked')
  const message =
    channel === 'mail'
      ? { channel: 'mails' as const, to: contact.email ?? '', parts: 1 }
      : { channel: 'texts' as const, to: contact.mobile ?? '', parts: maxSmsSegments }
  return (await messageCounts.hasRoom({ ...message, person, essential: false })) ? [contact.name] : []
}

/** Counts that a trip's link is sent. Throws too_many_requests soon after the last time, and beyond the limit of a trip. */
async function countPress({ client }: Transaction, booking: string, now: number): Promise<void> {
  const counted = await client.query(
    `insert into contact_shares as s (booking_id, presses, shared_at) values ($1, 1, $2)
      on conflict (booking_id) do update set presses = s.presses + 1, shared_at = $2
      where s.presses < $3 and s.shared_at <= $4`,
    [booking, now, shareLimits.presses, now - shareLimits.pauseMs],
  )
  if (counted.rowCount === 0) throw new Refusal('too_many_requests')
}

/** Informs each contact who wants it, once, by one link for all. Tries all of them, then throws the first temporary error. */
async function inform(deps: ContactMessagesDeps, data: Order) {
  const { occasion, cause, user: uid, booking, point } = data
  const [record, user, settings] = await Promise.all([
    deps.bookings.read(booking),
    deps.users.find(uid),
    deps.settings.current(),
  ])
  if (record === null || user === null || user.deleted_at !== null) return
  const chosen = (await deps.contacts.contacts(uid)).filter((contact) => wantsMessage(contact, cause))
  if (chosen.length === 0) return
  // A driver's contacts get no link to the trip: it shows where the rider goes.
  const path = record.booking.customer === uid ? await linkTo(deps, data) : null
  if (path === null && cause !== 'help') return
  const writer = await deps.writers.writerFor(user.locale)
  const link = path === null ? point : `${deps.siteUrl()}${path}`
  const params = paramsOf(nameInText(fullName(user)), link, settings.timezone)
  const { mail, sms } = deps.demo || !settings.AllowCriticalEditsAdmin ? deps.mailbox : deps
  const errors: unknown[] = []
  // Texts first: a mail server that does not answer must not hold them up.
  for (const channel of ['sms', 'mail'] as const) {
    for (const { id, email, mobile } of chosen.filter((one) => channelsTo(one, cause).includes(channel))) {
      const send = () => {
        if (channel === 'sms')
          return sms.send({ to: mobile ?? '', ...textOf(writer, cause, params), person: uid })
        const unsubscribe = deps.messages.refuseUrl(uid, deps.contacts.digest(email ?? ''))
        const written = mailOf(writer, cause, params, unsubscribe)
        return mail.send({ to: email ?? '', ...written, person: uid, unsubscribe })
      }
      await deps.sendOnce
        .once(`${occasion} ${id} ${channel}`, send)
        .catch(ignorePermanent(deps.log, `contact ${cause}`))
        .catch((error: unknown) => void errors.push(error))
    }
  }
  // What really failed is told first.
  if (errors.length > 0) throw errors.find((error) => !(error instanceof TryLater)) ?? errors[0]
}

/**
 * The path of the occasion's link to the trip; null when the trip has ended or the link is revoked. The token is derived
 * from the occasion, so that a job that repeats makes no other link and no token is stored.
 */
async function linkTo(
  { tripLinks, authSecret }: ContactMessagesDeps,
  { occasion, user, booking }: Order,
): Promise<string | null> {
  const mac = createHmac('sha256', authSecret).update(`contact link ${occasion}`).digest()
  const token = mac.subarray(0, 16).toString('base64url')
  const rider = { id: user, role: 'rider', approved: true } as const
  return tripLinks.createOnce(rider, booking, token).catch((error: unknown) => {
    if (error instanceof Refusal) return null
    throw error
  })
}
