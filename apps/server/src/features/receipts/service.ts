import type { Receipt } from '@hansom/contract/receipts'
import { maskContact } from '@hansom/domain/access/mask-contacts'
import type { Actor } from '@hansom/domain/access/relation'
import type { Booking } from '@hansom/domain/bookings/booking'
import { Refusal } from '@hansom/domain/error-keys'
import { hasReceipt } from '@hansom/domain/receipts/receipt-lines'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Mail } from '../../adapters/mail/port.ts'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Database } from '../../platform/database/database.ts'
import { chosenLocale } from '../../platform/http/content-negotiation.ts'
import { type AuthorizeRoute, type Os, signedIn } from '../../platform/http/implement.ts'
import type { Limits } from '../../platform/http/limits.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Log } from '../../platform/log/log.ts'
import type { MessageCounts } from '../../platform/mailbox/message-counts.ts'
import { eachInTurn } from '../../platform/outbox/event.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { SheetWriter } from '../../platform/pdf/sheet-writer.ts'
import { bookingChanged, readBookingChange } from '../bookings/booking-changed-event.ts'
import type { BookingsService } from '../bookings/service.ts'
import type { CarTypesService } from '../car-types/service.ts'
import type { LanguagesService } from '../languages/service.ts'
import { ignorePermanent } from '../messages/ignore-permanent.ts'
import type { SendOnce } from '../messages/send-once.ts'
import type { MessagesService } from '../messages/service.ts'
import type { Writers } from '../messages/write-messages.ts'
import type { RefundsService } from '../refunds/service.ts'
import type { SettingsService } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { receiptFacts, receiptIn, receiptSheet, receiptTexts } from './format-receipt.ts'
import { issueReceipt } from './issue-receipt.ts'
import { receiptOf } from './read-receipt.ts'

/** Receipts of trips, as pages and emails. */
export interface ReceiptsService {
  /** Throws not_found for people who may not see it, wrong_status if nothing was paid. */
  show(actor: Actor, booking: string): Promise<Receipt>
  /** The receipt as a PDF file in a language. Throws the errors of `show`, and too_many_requests while many wait. */
  pdf(actor: Actor, booking: string, locale: string | null): Promise<{ name: string; file: Buffer }>
  /**
   * Sends the receipt to the rider's email address, once per key. Returns the address, which is masked for admins in
   * demo mode. Throws the errors of `show`, and message_limit beyond the limits of a day.
   */
  mail(actor: Actor, booking: string, key: string | null): Promise<string>
  /** Ends the process that writes PDF files. */
  close(): void
}

export interface ReceiptsDeps {
  database: Database
  clock: Clock
  jobs: Jobs
  outbox: Outbox
  mail: Mail
  messageCounts: Pick<MessageCounts, 'hasRoom'>
  log: Log
  settings: Pick<SettingsService, 'current'>
  users: Pick<UsersService, 'find'>
  languages: Pick<LanguagesService, 'start' | 'pack'>
  writers: Writers
  preferences: Pick<MessagesService, 'preferences' | 'unsubscribeUrl'>
  sendOnce: SendOnce
  pdf: SheetWriter
  bookings: Pick<BookingsService, 'get'>
  refunds: Pick<RefundsService, 'ofBooking'>
  carTypes: Pick<CarTypesService, 'list'>
  siteUrl(): string
}

const job = 'receipts.mail'
/** `automatic`: after the trip, once, unless the rider turned it off; otherwise someone asked for it. */
const order = z.object({ booking: z.uuid(), rider: z.uuid(), automatic: z.boolean().default(false) })
/** Larger files are not attached, bytes. */
const largestAttachment = 500_000

export function createReceiptsService(deps: ReceiptsDeps): ReceiptsService {
  const { database, jobs, outbox, bookings, clock } = deps

  /** Drivers and fleet admins see their earnings elsewhere. */
  const find = async (actor: Actor, id: string) => {
    const record = await bookings.get(actor, id)
    if (actor.role !== 'admin' && record.booking.customer !== actor.id) throw new Refusal('not_found')
    return record
  }

  /** The rider's email address, masked depending on the viewer. */
  const emailFor = async (actor: Actor, { customer_email }: Booking): Promise<string | null> => {
    if (customer_email === null) return null
    const { AllowCriticalEditsAdmin } = await deps.settings.current()
    return maskContact(customer_email, 'rider', actor.role === 'admin' && !AllowCriticalEditsAdmin)
  }

  jobs.define(job, { schema: order, concurrency: 2 }, async ({ booking: id, rider, automatic }) => {
    const record = await bookings.get({ id: rider, role: 'rider', approved: true }, id)
    if (!hasReceipt(record.booking)) return
    const deliver = async () => send(deps, await receiptOf(deps, record), { rider, automatic })
    await (automatic ? deps.sendOnce.once(`${id} receipt`, deliver) : deliver())
  })

  // Issues the receipt when money was paid for the booking, and sends that of a trip once: the job commits with the event.
  outbox.onBatch(bookingChanged, async (events, tx) => {
    await eachInTurn(events, async ({ payload }) => {
      const change = readBookingChange(payload)
      if ((change.to !== 'PAID' && change.to !== 'CANCELLED') || change.from === change.to) return
      const { rows } = await tx.client.query<Parameters<typeof hasReceipt>[0] & { rider: string }>(
        'select rider, status, trip_cost, cancellation_fee from booking_money where id = $1',
        [change.booking],
      )
      const [paid] = rows
      if (!paid || !hasReceipt(paid)) return
      await issueReceipt(tx, await deps.settings.current(), { booking: change.booking, at: clock.now() })
      if (change.to !== 'PAID') return
      await jobs.send(job, { booking: change.booking, rider: paid.rider, automatic: true }, { tx })
    })
  })

  return {
    show: async (actor, id) => {
      const record = await find(actor, id)
      const receipt = await receiptOf(deps, record)
      return { ...receipt, rider: { ...receipt.rider, email: await emailFor(actor, record.booking) } }
    },
    pdf: async (actor, id, locale) => {
      const receipt = await receiptOf(deps, await find(actor, id))
      const { langLocale, dateLocale } = await deps.languages.start(locale)
      const { keyValuePairs: texts, direction } = await deps.languages.pack(langLocale)
      const settings = await deps.settings.current()
      const file = await deps.pdf.write(
        receiptSheet(
          receiptIn(langLocale, receipt, await deps.carTypes.list()),
          { texts, direction, language: langLocale, dateLocale: dateLocale || langLocale },
          settings,
        ),
      )
      return { name: fileName(receipt), file }
    },
    mail: async (actor, id, key) => {
      const { booking } = await find(actor, id)
      if (!hasReceipt(booking)) throw new Refusal('wrong_status')
      const to = await emailFor(actor, booking)
      if (to === null) throw new Refusal('not_found')
      const once = { user: actor.id, command: 'receipts.mail', key, body: { id }, at: clock.now() }
      await database.withTransaction((tx) =>
        idempotent(tx, once, async () => {
          const mail = {
            to: booking.customer_email ?? '',
            person: booking.customer,
            essential: false,
            parts: 1,
          }
          if (!(await deps.messageCounts.hasRoom({ channel: 'mails', ...mail }, tx.db)))
            throw new Refusal('message_limit')
          await jobs.send(job, { booking: id, rider: booking.customer }, { tx })
          return id
        }),
      )
      return to
    },
    close: () => deps.pdf.close(),
  }
}

async function send(
  deps: ReceiptsDeps,
  stored: Receipt,
  { rider, automatic }: { rider: string; automatic: boolean },
): Promise<void> {
  const user = await deps.users.find(rider)
  if (user === null || user.email === null || user.deleted_at !== null) return
  const { preferences } = deps
  if (automatic && !(await preferences.preferences(rider)).mails.includes('receipt')) return
  const writer = await deps.writers.writerFor(user.locale)
  const { settings } = writer
  const receipt = receiptIn(writer.language, stored, await deps.carTypes.list())
  const { price, paid } = receiptTexts(receipt, writer, settings)
  const link = `${deps.siteUrl()}/receipt/${receipt.booking}`
  const unsubscribe = preferences.unsubscribeUrl(rider, 'receipt')
  const pdf = await deps.pdf.write(receiptSheet(receipt, writer, settings))
  const written = writer.layout({
    subject: writer.fill('receipts.mail_subject', { number: receipt.serial }),
    preheader: [receipt.from, receipt.to].join(' → '),
    blocks: [
      { facts: receiptFacts(receipt, writer, settings) },
      { lines: [...price, ...paid] },
      { button: writer.fill('mail.receipt.button'), url: link },
    ],
    footer: [{ link: writer.fill('mail.unsubscribe.title'), url: unsubscribe }],
  })
  await deps.mail
    .send({
      to: user.email,
      ...written,
      kind: 'receipt',
      params: { number: receipt.number, link },
      person: rider,
      unsubscribe,
      attachments:
        pdf.length <= largestAttachment
          ? [{ filename: fileName(receipt), contentType: 'application/pdf', content: pdf }]
          : [],
    })
    .catch(ignorePermanent(deps.log, 'receipt'))
}

const fileName = ({ serial }: Receipt) => `${serial.replace(/[^\w-]/g, '_')}.pdf`

const pdfRoute = 'GET /api/v1/bookings/:id/receipt.pdf'

export function mountReceiptFiles(
  server: FastifyInstance,
  { receipts, authorize, limits }: { receipts: ReceiptsService; authorize: AuthorizeRoute; limits: Limits },
): void {
  const downloads = { config: { rateLimit: { max: limits.exports, groupId: 'receipts' } } }
  server.get<{ Params: { id: string } }>(
    '/api/v1/bookings/:id/receipt.pdf',
    downloads,
    async (request, reply) => {
      const actor = await authorize(request, pdfRoute)
      if (!z.uuid().safeParse(request.params.id).success) throw new Refusal('not_found')
      const { name, file } = await receipts.pdf(actor, request.params.id, chosenLocale(request.headers))
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', `attachment; filename="${name}"`)
        .type('application/pdf')
        .send(file)
    },
  )
}

export function receiptsRoutes({ receipts: os }: Os, receipts: ReceiptsService) {
  return {
    show: os.show.use(signedIn).handler(({ context: { actor }, input }) => receipts.show(actor, input.id)),
    mail: os.mail.use(signedIn).handler(async ({ context: { actor, idempotencyKey }, input }) => ({
      to: await receipts.mail(actor, input.id, idempotencyKey),
    })),
  }
}
