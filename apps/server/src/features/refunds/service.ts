import type { Disputed, RefundView } from '@hansom/contract/refunds'
import { refundsTableSpec } from '@hansom/contract/refunds-table'
import { Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { and, inArray, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import { type PagePart, type TableReader, tableReader } from '../../platform/tables/read-table.ts'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import { paymentReversed } from '../payments/attempt.ts'
import type { PaymentsService } from '../payments/service.ts'
import { eraseBy } from '../users/erase-user.ts'
import { checkExternalRefunds, importExternalRefunds } from './import-external-refunds.ts'
import { processRefund } from './process-refund.ts'
import { type ExternalRefundInput, recordExternalRefund, setDisputeFee } from './record-external-refund.ts'
import { loadBookingMoney, loadPaymentMoney, providerOf, type RefundableMoney } from './refundable-money.ts'
import { type RefundRequest, requestRefund } from './request-refund.ts'
import { endRefund, type RefundsDeps, readRefund, refundsOf, refundView } from './store.ts'
import { refundsTable, refundsTableColumns } from './table.ts'

/** Refunds to riders. With a key, a command runs once; with null, every call runs. */
export interface RefundsService extends TableReader<RefundView> {
  ofBooking(booking: string): Promise<Disputed>
  ofPayment(payment: string): Promise<Disputed>
  ask(by: string, wish: RefundRequest, key: string | null): Promise<RefundView>
  /** Records the outcome that an admin found at the provider. Throws not_found, wrong_status. */
  settle(by: string, id: string, outcome: 'confirmed' | 'failed'): Promise<RefundView>
  /** Records returned money that an admin found on the provider's pages, once per key. */
  record(by: string, seen: ExternalRefundInput, key: string | null): Promise<RefundView>
  setFee(by: string, input: { id: string; fee: Amount }): Promise<RefundView>
  /** Imports money returned for a payment at its provider; a job calls it when the provider reports it. */
  importExternal(payment: string): Promise<void>
  /** Processes due refunds: retries them or queries their state. */
  processDue(): Promise<void>
  /** Checks due payments for returned money. */
  checkExternal(): Promise<void>
}

const lookEveryS = 60
const maxBatch = 50

export function createRefundsService(deps: RefundsDeps): RefundsService {
  const { database, clock, jobs, payments } = deps
  const { db } = database
  const refund = { schema: z.object({ id: z.string() }), timeoutS: 60 }
  jobs.define('refunds.carry-out', refund, ({ id }) => processRefund(deps, id))
  const look = async () => {
    const due = await db
      .select({ id: refundsTable.id })
      .from(refundsTable)
      .where(and(inArray(refundsTable.state, ['asked', 'pending']), lte(refundsTable.look_at, clock.now())))
      .limit(maxBatch)
    for (const { id } of due) await processRefund(deps, id)
  }
  const repeat = { everyS: lookEveryS, data: {} }
  jobs.define('refunds.look', { schema: z.object({}), repeat, concurrency: 1, timeoutS: 600 }, look)

  jobs.define(
    'refunds.look-back',
    { schema: z.object({}), repeat, concurrency: 1, timeoutS: 600 },
    (_data, signal) => checkExternalRefunds(deps, signal),
  )

  // A job, so that event handling calls no outside service.
  const heed = { schema: z.object({ payment: z.string() }), timeoutS: 60 }
  jobs.define('refunds.heed', heed, ({ payment }) => importExternalRefunds(deps, payment))
  deps.outbox.on(paymentReversed, async ({ payload }, tx) => {
    await jobs.send('refunds.heed', { payment: payload.payment }, { tx })
  })

  const shown = ({ sources, openFee, left }: RefundableMoney): Omit<Disputed, 'refunds'> => ({
    open_fee: openFee,
    sources: sources.map((one) => {
      const provider = providerOf(one)
      const by_hand = provider !== null && payments.find(({ name }) => name === provider)?.refund == null
      const { source, payment, paid, refunded, bearers } = one
      return { source, payment, provider, paid, refunded, left: left(one), bearers: [...bearers], by_hand }
    }),
  })
  const send: Parameters<typeof requestRefund>[0]['send'] = async (tx, id) =>
    void (await jobs.send('refunds.carry-out', { id }, { tx }))

  return {
    ofBooking: async (booking) => ({
      ...shown(await loadBookingMoney(database.pool, booking, false)),
      refunds: await refundsOf(db, { booking }),
    }),
    ofPayment: async (payment) => ({
      ...shown(await loadPaymentMoney(database.pool, payment, false)),
      refunds: await refundsOf(db, { payment }),
    }),
    ask: (by, wish, key) => requestRefund({ ...deps, send }, by, wish, key),
    settle: async (by, id, outcome) => {
      const settings = await deps.settings.current()
      const at = clock.now()
      return database.withTransaction(async (tx) => {
        const before = await readRefund(tx.db, id)
        const end = { state: outcome, failure: before.failure, by }
        // A refund that was never sent to the provider cannot be settled.
        const row = before.state === 'asked' ? null : await endRefund(deps, tx, id, end, { settings, at })
        if (row === null) throw new Refusal('wrong_status', { data: { current: refundView(before) } })
        await writeAudit(tx, {
          by,
          at,
          action: 'refunds.settle',
          kind: 'refund',
          subject: id,
          label: row.code,
          person: row.rider,
          before: refundView(before),
          after: refundView(row),
        })
        return refundView(row)
      })
    },
    ...tableReader({
      queries: db,
      table: refundsTableColumns,
      from: sql`${refundsTable}`,
      scope: async () => ({ where: [], timezone: (await deps.settings.current()).timezone }),
      read: ({ where, orderBy, limit, position }: PagePart) =>
        db
          .select({ row: refundsTable, position })
          .from(refundsTable)
          .where(where)
          .orderBy(orderBy)
          .limit(limit),
      view: (rows) => rows.map(({ row }) => refundView(row)),
    }),
    record: (by, seen, key) => recordExternalRefund(deps, by, seen, key),
    setFee: (by, input) => setDisputeFee(deps, by, input),
    importExternal: (payment) => importExternalRefunds(deps, payment),
    processDue: look,
    checkExternal: () => checkExternalRefunds(deps),
  }
}

export function refundsRoutes(
  { refunds: os }: Os,
  refunds: RefundsService,
  payments: Pick<PaymentsService, 'settleMismatch'>,
) {
  return {
    ofBooking: os.ofBooking.handler(({ input }) => refunds.ofBooking(input.id)),
    ofPayment: os.ofPayment.handler(({ input }) => refunds.ofPayment(input.payment)),
    ask: os.ask
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        refunds.ask(actor.id, input, idempotencyKey),
      ),
    settle: os.settle
      .use(signedIn)
      .handler(({ context: { actor }, input }) => refunds.settle(actor.id, input.id, input.outcome)),
    record: os.record
      .use(signedIn)
      .handler(({ context: { actor, idempotencyKey }, input }) =>
        refunds.record(actor.id, input, idempotencyKey),
      ),
    setFee: os.setFee
      .use(signedIn)
      .handler(({ context: { actor }, input }) => refunds.setFee(actor.id, input)),
    settlePayment: os.settlePayment
      .use(signedIn)
      .handler(({ context: { actor }, input }) =>
        payments.settleMismatch(actor.id, input.payment, input.outcome),
      ),
    list: os.list.handler(({ input }) => refunds.page(input)),
    count: os.count.handler(({ input }) => refunds.count(input)),
  }
}

/** Refunds as a file. */
export const refundsExport = (refunds: Pick<RefundsService, 'all'>): TableExport =>
  tableExport<RefundView>({
    name: 'refunds',
    spec: refundsTableSpec,
    roles: ['admin'],
    when: 'critical',
    rows: (_person, query) => refunds.all(query),
    columns: [
      { title: 'refunds.at', kind: 'time', value: (row) => row.at },
      { title: 'refunds.order', kind: 'text', value: (row) => row.code },
      { title: 'refunds.rider', kind: 'text', value: (row) => row.rider_name },
      { title: 'refunds.amount', kind: 'amount', value: (row) => row.amount },
      { title: 'refunds.source', kind: { words: 'refunds.source_' }, value: (row) => row.source },
      { title: 'refunds.provider', kind: 'text', value: (row) => row.provider },
      { title: 'refunds.bearer', kind: { words: 'refunds.bearer_' }, value: (row) => row.bearer },
      { title: 'refunds.state', kind: { words: 'refunds.state_' }, value: (row) => row.state },
      { title: 'refunds.origin', kind: { words: 'refunds.origin_' }, value: (row) => row.origin },
      { title: 'refunds.reason', kind: 'text', value: (row) => row.reason },
      { title: 'refunds.fee', kind: 'amount', value: (row) => row.fee },
      { title: 'refunds.ended_at', kind: 'time', value: (row) => row.ended_at },
    ],
  })

/** A guest's refunds become those of the account that takes the guest over. */
export async function moveRefunds({ client }: Transaction, guest: string, user: string): Promise<void> {
  await client.query('update refunds set rider = $2 where rider = $1', [guest, user])
}

/** Erases a deleted rider's name. */
export const eraseFromRefunds = eraseBy(
  `update refunds set rider_name = $2 where id in
    (select id from refunds where rider = $1 and rider_name <> $2 limit $3)`,
)
