import type {
  AdminPayment,
  CardService,
  CheckoutView,
  PaymentOrder,
  PaymentProviderView,
  PaymentView,
} from '@hansom/contract/payments'
import type { Actor } from '@hansom/domain/access/relation'
import { Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import type { PaymentProviderName } from '@hansom/domain/payments/providers'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import { type PagePart, readPage, type TableReader, tableReader } from '../../platform/tables/read-table.ts'
import { type MismatchOutcome, settleMismatch } from './admin.ts'
import { adminPaymentView, type PaymentsDeps, paymentView } from './attempt.ts'
import { beginAttempt } from './begin-attempt.ts'
import { confirmPayment } from './confirm-payment.ts'
import { createInbound, type Inbound } from './inbound.ts'
import { findOrder, formFields, makeTopUp, type PayableOrder, refuseOtherOrder } from './order.ts'
import { completeAttempt, giveUpAttempt, showOwn } from './own-attempt.ts'
import { acceptsCurrency, checkoutPath, payPath, webhookPath } from './providers.ts'
import { deleteUnpaidAttempts, reconcilePayments } from './reconcile.ts'
import { readPaymentsOf } from './store.ts'
import { paymentsTable, paymentsTableColumns } from './table.ts'

/** Card payments: orders, attempts and provider messages. */
export interface PaymentsService extends TableReader<AdminPayment>, Inbound {
  /** The configured providers, for admins. */
  services(): Promise<CardService[]>
  /** The providers with absolute URLs. Throws no_provider_found if none is configured. */
  providers(): { name: PaymentProviderName; link: string }[]
  /** Throws not_found, already_paid, wrong_status, no_provider_found. */
  order(actor: Actor, id: string): Promise<PaymentOrder>
  /** Idempotent by key. Throws no_details_error, no_provider_found, idempotency_mismatch. */
  topUp(actor: Actor, amount: Amount, key: string | null): Promise<string>
  /** The user's own attempt. Throws not_found. */
  show(uid: string, id: string): Promise<CheckoutView>
  complete(uid: string, id: string, input: Record<string, string>): ReturnType<typeof completeAttempt>
  giveUp(uid: string, id: string): Promise<CheckoutView>
  /** The attempts of a booking, for its rider and admins. Throws not_found. */
  ofBooking(actor: Actor, booking: string): Promise<PaymentView[]>
  /** The user's own attempts, newest first; `cursor` continues after the last one shown. */
  own(uid: string, cursor: string | undefined): Promise<{ items: PaymentView[]; next: string | null }>
  /** The origins that a provider's checkout page needs in addition to ours. */
  hostsOf(provider: string): Readonly<Record<string, readonly string[] | undefined>>
  /** Settles a mismatching payment as an admin. Throws not_found, wrong_status. */
  settleMismatch(by: string, id: string, outcome: MismatchOutcome): Promise<AdminPayment>
  /** Queries the provider about an attempt and processes the result. */
  confirm(id: string): Promise<void>
  /** Processes what was left over; a job calls it periodically. */
  reconcile(): Promise<void>
}

export function createPaymentsService(deps: PaymentsDeps): PaymentsService {
  const { database, providers, settings, users, bookings, siteUrl } = deps
  const { db } = database
  const inbound = createInbound(deps)
  const scope = async () => ({ where: [], timezone: (await settings.current()).timezone })
  const read = ({ where, orderBy, limit, position }: PagePart) =>
    db.select({ row: paymentsTable, position }).from(paymentsTable).where(where).orderBy(orderBy).limit(limit)
  const attempts = tableReader({
    queries: db,
    table: paymentsTableColumns,
    from: sql`${paymentsTable}`,
    scope,
    read,
    view: (rows) => rows.map(({ row }) => adminPaymentView(row)),
  })
  const offered = ({
    currency,
    amount,
  }: Pick<PayableOrder, 'currency' | 'amount'>): PaymentProviderView[] => {
    if (providers.all.length === 0) throw new Refusal('no_provider_found')
    return providers.all.map((provider) => ({
      name: provider.name,
      link: payPath(provider.name),
      takes: provider.accepts(currency, amount),
      live: provider.live,
    }))
  }
  const reconcile = (signal?: AbortSignal) => reconcilePayments(deps, signal)
  deps.jobs.define(
    'payments.reconcile',
    { schema: z.object({}), repeat: { everyS: 30, data: {} }, concurrency: 1, timeoutS: 300 },
    (_data, signal) => reconcile(signal),
  )
  deps.jobs.define(
    'payments.tidy',
    { schema: z.object({}), repeat: { everyS: 24 * 3600, data: {} }, timeoutS: 600 },
    () => deleteUnpaidAttempts(deps),
  )

  return {
    async services() {
      const { code: currency } = await settings.current()
      const refused = inbound.refused()
      return providers.all.map((provider) => ({
        name: provider.name,
        live: provider.live,
        currency,
        takes: acceptsCurrency([provider])(currency),
        webhook: `${siteUrl()}${webhookPath(provider.name)}`,
        refunds: provider.refund !== null,
        refused: refused[provider.name] ?? 0,
      }))
    },

    providers() {
      if (providers.all.length === 0) throw new Refusal('no_provider_found')
      return providers.all.map(({ name }) => ({ name, link: `${siteUrl()}${payPath(name)}` }))
    },

    async order(actor, id) {
      const order = await findOrder(deps, actor, id)
      const payer = await users.find(order.payer)
      if (payer === null) throw new Refusal('not_found')
      const { appName } = await settings.current()
      return {
        id: order.id,
        kind: order.kind,
        booking: order.kind === 'booking' ? order.id : null,
        booking_id: order.kind === 'booking' ? order.code : null,
        amount: order.amount,
        currency: order.currency,
        fields: formFields(order, payer, appName),
        providers: offered(order),
      }
    },

    topUp: (actor, amount, key) => makeTopUp(deps, actor.id, amount, key),

    async pay(actor, name, posted, locale) {
      const provider = providers.find(name)
      if (provider === null) throw new Refusal('no_provider_found')
      const begin = async () => {
        const order = await findOrder(deps, actor, posted.get('order_id') ?? '')
        refuseOtherOrder(posted, order)
        return beginAttempt(deps, provider, order, locale)
      }
      // The booking may change in between: then the amount due is read again.
      const { id } = await begin().catch((error: unknown) => {
        if (error instanceof Refusal && error.key === 'conflict') return begin()
        throw error
      })
      return checkoutPath(name, id)
    },

    show: (uid, id) => showOwn(deps, uid, id),
    complete: (uid, id, input) => completeAttempt(deps, uid, id, input),
    giveUp: (uid, id) => giveUpAttempt(deps, uid, id),

    async ofBooking(actor, id) {
      const { booking } = await bookings.get(actor, id)
      if (actor.role !== 'admin' && booking.customer !== actor.id) throw new Refusal('not_found')
      return (await readPaymentsOf(db, id)).map(paymentView)
    },

    async own(uid, cursor) {
      const query = { payer: uid, cursor, limit: 100 }
      const { rows, next } = await readPage(paymentsTableColumns, query, await scope(), read)
      return { items: rows.map(({ row }) => paymentView(row)), next }
    },
    page: attempts.page,
    all: attempts.all,
    count: attempts.count,

    ...inbound,
    hostsOf: (name) => providers.find(name)?.hosts ?? {},
    settleMismatch: (by, id, outcome) => settleMismatch(deps, by, id, outcome),
    confirm: async (id) => void (await confirmPayment(deps, id)),
    reconcile: () => reconcile(),
  }
}

export function paymentsRoutes({ payments: os }: Os, payments: PaymentsService) {
  return {
    order: os.order.use(signedIn).handler(({ context, input }) => payments.order(context.actor, input.order)),
    topUp: os.topUp.use(signedIn).handler(async ({ context, input }) => ({
      order: await payments.topUp(context.actor, input.amount, context.idempotencyKey),
    })),
    show: os.show
      .use(signedIn)
      .handler(({ context, input }) => payments.show(context.actor.id, input.payment)),
    complete: os.complete
      .use(signedIn)
      .handler(({ context, input }) => payments.complete(context.actor.id, input.payment, input.input)),
    giveUp: os.giveUp
      .use(signedIn)
      .handler(({ context, input }) => payments.giveUp(context.actor.id, input.payment)),
    ofBooking: os.ofBooking.use(signedIn).handler(async ({ context, input }) => ({
      items: await payments.ofBooking(context.actor, input.id),
    })),
    services: os.services.handler(() => payments.services()),
    list: os.list.handler(({ input }) => payments.page(input)),
    count: os.count.handler(({ input }) => payments.count(input)),
  }
}

/** The list of providers at its old path. */
export function providersFunction({ functions }: Os, payments: Pick<PaymentsService, 'providers'>) {
  return { getProviders: functions.getProviders.handler(() => payments.providers()) }
}
