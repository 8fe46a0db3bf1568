import type { Disputed, RefundView } from '@hansom/contract/refunds'
import type { TableCount } from '@hansom/contract/tables'
import { Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { and, inArray, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { type PagePart, readAll, readCount, readPage } from '../../platform/tables/read-table.ts'
import type { TableQuery } from '../../platform/tables/table.ts'
import { paymentReversed } from '../payments/attempt.ts'
import { refundsTableColumns } from './admin.ts'
import { checkExternalRefunds, importExternalRefunds } from './import-external-refunds.ts'
import { processRefund } from './process-refund.ts'
import { type ExternalRefundInput, recordExternalRefund, setDisputeFee } from './record-external-refund.ts'
import { loadBookingMoney, loadPaymentMoney, providerOf, type RefundableMoney } from './refundable-money.ts'
import { type RefundRequest, requestRefund } from './request-refund.ts'
import { endRefund, type RefundsDeps, readRefund, refundsOf, refundView } from './store.ts'
import { refundsTable } from './table.ts'

/** Refunds to riders. With a key, a command runs once; with null, every call runs. */
export interface RefundsService {
  ofBooking(booking: string): Promise<Disputed>
  ofPayment(payment: string): Promise<Disputed>
  ask(by: string, wish: RefundRequest, key: string | null): Promise<RefundView>
  /** Records the outcome that an admin found at the provider. Throws not_found, wrong_status. */
  settle(by: string, id: string, outcome: 'confirmed' | 'failed'): Promise<RefundView>
  page(query: TableQuery): Promise<{ items: RefundView[]; next: string | null }>
  /** All matching refunds, a batch at a time. */
  all(query: TableQuery): AsyncGenerator<RefundView[]>
  count(query: TableQuery): Promise<TableCount>
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
  const scope = async () => ({ where: [], timezone: (await deps.settings.current()).timezone })
  const read = ({ where, orderBy, limit, position }: PagePart) =>
    db.select({ row: refundsTable, position }).from(refundsTable).where(where).orderBy(orderBy).limit(limit)

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
      refunds: (await refundsOf(db, { booking })).map(refundView),
    }),
    ofPayment: async (payment) => ({
      ...shown(await loadPaymentMoney(database.pool, payment, false)),
      refunds: (await refundsOf(db, { payment })).map(refundView),
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
    page: async (query) => {
      const { rows, next } = await readPage(refundsTableColumns, query, await scope(), read)
      return { items: rows.map(({ row }) => refundView(row)), next }
    },
    async *all(query) {
      for await (const rows of readAll(refundsTableColumns, query, await scope(), read)) {
        yield rows.map(({ row }) => refundView(row))
      }
    },
    count: async (query) => readCount(db, refundsTableColumns, query, await scope(), sql`${refundsTable}`),
    record: (by, seen, key) => recordExternalRefund(deps, by, seen, key),
    setFee: (by, input) => setDisputeFee(deps, by, input),
    importExternal: (payment) => importExternalRefunds(deps, payment),
    processDue: look,
    checkExternal: () => checkExternalRefunds(deps),
  }
}
