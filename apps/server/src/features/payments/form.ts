import type { PaymentOrder } from '@hansom/contract/payments'
import { Refusal } from '@hansom/domain/error-keys'
import { type Amount, plainAmount, toAmount, unit } from '@hansom/domain/money/amount'
import type { UserRow } from '../users/table.ts'
import type { PayableOrder } from './order.ts'

/** The fields of the form posted to a provider's link, in order. */
export function formFields(
  order: PayableOrder,
  payer: Pick<UserRow, 'id' | 'firstName' | 'lastName' | 'mobile' | 'email'>,
  appName: string,
): PaymentOrder['fields'] {
  const fields = {
    order_id: order.id,
    amount: amountText(order.amount),
    currency: order.currency,
    product_name: `${appName} ${order.code}`,
    first_name: payer.firstName,
    last_name: payer.lastName,
    quantity: '1',
    cust_id: payer.id,
    mobile_no: payer.mobile ?? '',
    email: payer.email,
  }
  return Object.entries(fields).map(([name, value]) => ({ name, value }))
}

/** In currency units with two decimals, or four if needed. */
function amountText(amount: Amount): string {
  return plainAmount(amount, amount % 100 === 0 ? 2 : 4)
}

/**
 * Refuses a form that shows the payer something other than the order. Only mismatches matter: the values themselves are
 * read from the order. Throws fare_changed for another amount, conflict for another currency or person.
 */
export function refuseOtherOrder(posted: URLSearchParams, order: PayableOrder): void {
  const amount = posted.get('amount')
  if (amount !== null && amountOf(amount) !== order.amount) throw new Refusal('fare_changed')
  const [currency, customer] = [posted.get('currency'), posted.get('cust_id')]
  if (currency !== null && currency.toUpperCase() !== order.currency) throw new Refusal('conflict')
  if (customer !== null && customer !== order.payer) throw new Refusal('conflict')
}

function amountOf(text: string): Amount | null {
  return /^\d{1,11}(\.\d{1,4})?$/.test(text.trim()) ? toAmount(Number(text) * unit) : null
}
