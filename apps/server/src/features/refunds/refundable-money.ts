import type { BookingStatus } from '@hansom/domain/bookings/status'
import { Refusal } from '@hansom/domain/error-keys'
import type { Amount } from '@hansom/domain/money/amount'
import { isPaymentProvider, type PaymentProviderName } from '@hansom/domain/payments/providers'
import {
  type CardPaid,
  cardSource,
  type RefundableSource,
  type RefundSourceKind,
  refundableRest,
  sourcesOf,
} from '@hansom/domain/wallet/refund'
import type { Transaction } from '../../platform/database/transaction.ts'

type Client = Pick<Transaction['client'], 'query'>

/** The money of a booking or payment, with everything that may be refunded. */
export interface RefundableMoney {
  booking: string | null
  code: string
  rider: string
  riderName: string
  driver: string | null
  currency: string
  sources: readonly RefundableSource[]
  /** The unpaid part of the booking's cancellation fee. */
  openFee: Amount
  /** The amount still refundable from a source. */
  left(source: RefundableSource): Amount
}

interface CardRow {
  id: string
  provider: string
  amount: Amount
  used_for: string | null
  booking: string | null
  code: string
  payer: string
  payer_name: string
  currency: string
}

/**
 * With `lock`, no one else can decide about this money until the transaction ends. Deleted riders get nothing in their
 * wallet, and deleted drivers bear nothing. Throws not_found.
 */
export async function loadBookingMoney(
  client: Client,
  booking: string,
  lock: boolean,
): Promise<RefundableMoney> {
  const { rows } = await client.query<BookingMoney>(
    `select code, rider, rider_name as "riderName", currency, status,
        (select id from user_names where id = b.driver and not is_deleted) as driver,
        exists (select from user_names where id = b.rider and is_deleted) as "isRiderGone",
        used_wallet_money as "usedWalletMoney", cash_payment_amount as "cashPaymentAmount",
        cancellation_fee - coalesce((select d.open + d.waived from booking_dues d where d.booking = b.id), 0)
          as cancellation_fee,
        coalesce((select d.open from booking_dues d where d.booking = b.id), 0) as "openFee",
        customer_paid, card_payment_amount as "cardPaymentAmount"
      from booking_money b where id = $1 ${lock ? 'for no key update' : ''}`,
    [booking],
  )
  const [found] = rows
  if (found === undefined) throw new Refusal('not_found')
  const cards = await cardsOfBooking(client, booking, lock)
  const refunded = await refundedOf(
    client,
    booking,
    cards.map(({ id }) => id),
  )
  const all = sourcesOf(found, cards, refunded)
  const sources = all.filter(({ source }) => source === 'card' || !found.isRiderGone)
  const { code, rider, riderName, driver, currency, status, customer_paid } = found
  const most = status === 'CANCELLED' ? null : customer_paid
  return {
    booking,
    code,
    rider,
    riderName,
    driver,
    currency,
    sources,
    openFee: found.openFee,
    left: (one) => refundableRest(one, all, most),
  }
}

interface BookingMoney {
  code: string
  rider: string
  riderName: string
  driver: string | null
  isRiderGone: boolean
  currency: string
  status: BookingStatus
  usedWalletMoney: Amount
  cashPaymentAmount: Amount
  cancellation_fee: Amount
  openFee: Amount
  customer_paid: Amount
  cardPaymentAmount: Amount
}

/** A single card payment. Throws not_found, and wrong_status if it was not captured or not used yet. */
export async function loadPaymentMoney(
  client: Client,
  payment: string,
  lock: boolean,
): Promise<RefundableMoney> {
  const { rows } = await client.query<CardRow>(
    `select id, provider, amount, used_for, booking, code, payer, payer_name, currency from payment_records
      where id = $1 ${lock ? 'for no key update' : ''}`,
    [payment],
  )
  const [found] = rows
  if (found === undefined) throw new Refusal('not_found')
  if (found.used_for === null) throw new Refusal('wrong_status')
  // Money that paid a trip is decided together with the trip's other money.
  if (found.used_for === 'booking' && found.booking !== null) {
    return loadBookingMoney(client, await holderOf(client, found.booking), lock)
  }
  const refunded = await refundedOf(client, null, [payment])
  const source = cardSource(cardOf(found), refunded('card', payment))
  return {
    booking: found.booking,
    code: found.code,
    rider: found.payer,
    riderName: found.payer_name,
    driver: null,
    currency: found.currency,
    sources: [source],
    openFee: 0,
    left: (one) => refundableRest(one, [source], null),
  }
}

/** The booking that holds the money paid for one that it replaced. */
async function holderOf(client: Client, booking: string): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `with recursive chain as (
        select id, rebooked_as from booking_money where id = $1
        union all select b.id, b.rebooked_as from booking_money b join chain c on b.id = c.rebooked_as)
      select id from chain where rebooked_as is null`,
    [booking],
  )
  return rows[0]?.id ?? booking
}

/** The card payments of a booking and those it replaced. */
async function cardsOfBooking(client: Client, booking: string, lock: boolean): Promise<CardPaid[]> {
  const { rows } = await client.query<CardRow>(
    `with recursive chain as (
        select id, rebooked_from from booking_money where id = $1
        union all select b.id, b.rebooked_from from booking_money b join chain c on b.id = c.rebooked_from)
      select p.id, p.provider, p.amount, p.used_for from payment_records p
        where p.booking in (select id from chain) and p.used_for = 'booking'
        order by p.id ${lock ? 'for no key update of p' : ''}`,
    [booking],
  )
  return rows.map(cardOf)
}

function cardOf({ id, provider, amount, used_for }: CardRow): CardPaid {
  return { id, provider, amount, forBooking: used_for === 'booking' }
}

/** Amounts refunded or pending: by source for the booking, individually for card payments. */
async function refundedOf(client: Client, booking: string | null, payments: readonly string[]) {
  const { rows } = await client.query<{ source: RefundSourceKind; payment: string | null; sum: Amount }>(
    `select source, payment, sum(amount)::bigint as sum from refunds
      where state <> 'failed' and (payment = any($2::uuid[]) or (booking = $1 and payment is null))
      group by source, payment`,
    [booking, payments],
  )
  return (source: RefundSourceKind, payment: string | null): Amount =>
    rows.find((row) => row.source === source && row.payment === payment)?.sum ?? 0
}

/** The provider of a source. */
export function providerOf({ provider }: RefundableSource): PaymentProviderName | null {
  return provider !== null && isPaymentProvider(provider) ? provider : null
}
