import { createHmac } from 'node:crypto'
import { type Actor, relationTo } from '@hansom/domain/access/relation'
import { sharedTrip } from '@hansom/domain/access/shared-trip'
import { partiesOf } from '@hansom/domain/access/visible-booking'
import { Refusal } from '@hansom/domain/error-keys'
import type { LatLng } from '@hansom/domain/geo/point'
import {
  type ContactCause,
  channelsTo,
  contactCauses,
  shareLimits,
} from '@hansom/domain/safety/trusted-contacts'
import { fullName } from '@hansom/domain/users/full-name'
import { uuidv7 } from 'uuidv7'
import { z } from 'zod'
import { type Mail, MailError } from '../../adapters/mail/port.ts'
import { type Sms, SmsError } from '../../adapters/sms/port.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { Log } from '../../platform/log/log.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import type { SendOnce } from '../messages/send-once.ts'
import type { MessagesService } from '../messages/service.ts'
import type { Writer, Writers } from '../messages/write-messages.ts'
import { nameInText } from '../trip-links/inform-recipients.ts'
import type { TripLinksService } from '../trip-links/service.ts'
import type { ContactsService } from './contacts.ts'
import type { SafetyDeps } from './deps.ts'

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
  tripLinks: Pick<TripLinksService, 'createOnce'>
  contacts: Pick<ContactsService, 'contacts' | 'digest'>
  authSecret: string
  /** The site's public URL, without a trailing slash. */
  siteUrl(): string
}

/** Messages to trusted contacts about a trip. */
export interface ContactMessages {
  /** Sends the trip's link to the rider's contacts; returns their names. Throws not_found, link_expired, too_many_requests, conflict. */
  share(actor: Actor, booking: string, key: string | null): Promise<string[]>
  /** Informs the contacts of someone who called for help, as they chose, in the transaction of the alarm. */
  informOfHelp(
    tx: Transaction,
    help: { user: string; booking: string; event: string; point: LatLng | null },
  ): Promise<void>
}

const job = 'safety.inform-contacts'
/** Has its own workers: a call for help does not wait for links of trips. */
const helpJob = 'safety.inform-of-help'
/** `occasion`: what each contact is informed of once. `point`: where someone called for help. */
const order = z.object({
  occasion: z.string(),
  cause: z.enum(contactCauses),
  user: z.uuid(),
  booking: z.uuid(),
  point: z.object({ lat: z.number(), lng: z.number() }).nullable(),
})
type Order = z.infer<typeof order>

export function createContactMessages(deps: ContactMessagesDeps): ContactMessages {
  const { database, clock, jobs, outbox, bookings, contacts } = deps
  for (const name of [job, helpJob]) {
    jobs.define(name, { schema: order, concurrency: 2 }, (data) => inform(deps, data))
  }

  outbox.onBatch(bookingChanged, async (events, tx) => {
    for (const { payload } of events) {
      const { booking: id, from, to } = readBookingChange(payload)
      if (to !== 'STARTED' || from === 'STARTED') continue
      const user = (await bookings.read(id))?.booking.customer
      if (!user) continue
      const data = {
        occasion: `${id} started`,
        cause: 'started',
        user,
        booking: id,
        point: null,
      } satisfies Order
      await jobs.send(job, data, { tx, singletonKey: data.occasion })
    }
  })

  return {
    async share(actor, id, key) {
      const record = await bookings.get(actor, id)
      if (relationTo(partiesOf(record), actor) !== 'rider') throw new Refusal('not_found')
      if (sharedTrip(record.booking) === null) throw new Refusal('link_expired')
      const wanting = (await contacts.contacts(actor.id)).filter(({ refused }) => !refused)
      if (wanting.length === 0) throw new Refusal('conflict')
      const now = clock.now()
      const command = { user: actor.id, command: 'safety.share', key, body: { id }, at: now }
      await database.withTransaction((tx) =>
        idempotent(tx, command, async () => {
          await countPress(tx, id, now)
          const press = uuidv7()
          const of = { user: actor.id, booking: id, point: null }
          const data = { ...of, occasion: `${id} ${press}`, cause: 'asked' } satisfies Order
          await jobs.send(job, data, { tx })
          return press
        }),
      )
      return wanting.map(({ name }) => name)
    },

    async informOfHelp(tx, { user, booking, event, point }) {
      const data = { occasion: `${event} help ${user}`, cause: 'help', user, booking, point } satisfies Order
      await jobs.send(helpJob, data, { tx, singletonKey: data.occasion })
    },
  }
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

const isChosen = (
  cause: ContactCause,
  { share_always, on_help }: { share_always: boolean; on_help: boolean },
) => cause === 'asked' || (cause === 'started' ? share_always : on_help)

/** Informs each contact who wants it, once, by one link for all. Tries all of them, then throws the first temporary error. */
async function inform(deps: ContactMessagesDeps, data: Order) {
  const { occasion, cause, user: uid, booking, point } = data
  const [record, user, settings] = await Promise.all([
    deps.bookings.read(booking),
    deps.users.find(uid),
    deps.settings.current(),
  ])
  if (record === null || user === null || user.deleted_at !== null) return
  const all = await deps.contacts.contacts(uid)
  const chosen = all.filter((contact) => !contact.refused && isChosen(cause, contact))
  if (chosen.length === 0) return
  // A driver's contacts get no link to the trip: it shows where the rider goes.
  const path = record.booking.customer === uid ? await linkTo(deps, data) : null
  const link = path === null ? point && mapLink(point) : `${deps.siteUrl()}${path}`
  if (link === null && cause !== 'help') return
  const writer = await deps.writers.writerFor(user.locale)
  const sender = nameInText(fullName(user))
  const { mail, sms } = deps.demo || !settings.AllowCriticalEditsAdmin ? deps.mailbox : deps
  const facts = { cause, sender, link, uid }
  const errors: unknown[] = []
  // Texts first: a mail server that does not answer must not hold them up.
  for (const channel of ['sms', 'mail'] as const) {
    for (const { id, email, mobile } of chosen.filter((one) => channelsTo(one, cause).includes(channel))) {
      const send = () =>
        channel === 'mail'
          ? mail.send(mailTo(deps, writer, { ...facts, to: email ?? '' }))
          : sms.send(textTo(writer, { ...facts, to: mobile ?? '' }))
      await deps.sendOnce
        .once(`${occasion} ${id} ${channel}`, () => send().catch(ignorePermanent(deps)))
        .catch((error: unknown) => void errors.push(error))
    }
  }
  if (errors.length > 0) throw errors[0]
}

interface MessageFacts {
  to: string
  cause: ContactCause
  sender: string
  link: string | null
  uid: string
}

const kindOf = (cause: ContactCause) => (cause === 'help' ? 'contact_help' : 'contact_trip')

function mailTo(
  { messages, contacts }: Pick<ContactMessagesDeps, 'messages' | 'contacts'>,
  writer: Writer,
  { to, cause, sender, link, uid }: MessageFacts,
) {
  const kind = kindOf(cause)
  const unsubscribe = messages.refuseUrl(uid, contacts.digest(to))
  const button = link && { button: writer.fill('mail.contact.open'), url: link }
  const written = writer.layout({
    subject: writer.fill(`mail.${kind}.subject`, { sender }),
    blocks: [{ text: writer.fill(`mail.${kind}.text`, { sender }) }, ...(button ? [button] : [])],
    footer: [
      { text: writer.fill('mail.contact.why', { sender }), quiet: true },
      { link: writer.fill('mail.unsubscribe.title'), url: unsubscribe },
    ],
  })
  return { to, ...written, kind, params: { sender, link: link ?? '' }, person: uid, unsubscribe }
}

function textTo(writer: Writer, { to, cause, sender, link, uid }: MessageFacts) {
  const kind = cause === 'help' ? 'contact_help_sms' : 'contact_trip_sms'
  const params = { sender, link: link ?? '' }
  return { to, text: writer.sms(kind, params).trim(), kind, params, person: uid }
}

const ignorePermanent =
  ({ log }: Pick<ContactMessagesDeps, 'log'>) =>
  (error: unknown) => {
    if (!((error instanceof MailError || error instanceof SmsError) && error.permanent)) throw error
    log.warn({ err: error }, 'message to a trusted contact could not be sent')
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

/** A short URL of a map with the place, which fits into a text message. */
const mapLink = ({ lat, lng }: LatLng) =>
  `https://osm.org/?mlat=${lat.toFixed(5)}&mlon=${lng.toFixed(5)}&zoom=17`
