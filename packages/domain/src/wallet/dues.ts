import type { Amount } from '../money/amount.ts'
import { dueAccount, type Entry, entry, userAccount } from './ledger.ts'

/** What a booking's driver is owed and its rider has not paid yet. */
export interface Due {
  booking: string
  rider: string
  driver: string
  open: Amount
}

/**
 * The entries that give drivers what a rider has paid by now, oldest first: as much as the open dues exceed what the
 * rider's balance is below zero. `dues` are in the order in which they arose.
 */
export function releases(dues: readonly Due[], balance: Amount): Entry[] {
  const owed = Math.max(0, -balance)
  let paid = dues.reduce((sum, { open }) => sum + open, 0) - owed
  const entries: Entry[] = []
  for (const due of dues) {
    const amount = Math.min(due.open, paid)
    if (amount <= 0) break
    paid -= amount
    entries.push(
      entry('due_released', stepKey(due), due.booking, [
        { account: dueAccount(due.booking), amount: -amount },
        { account: userAccount(due.driver), amount },
      ]),
    )
  }
  return entries
}

/** An admin waives what is still open of a due: the rider does not owe it any more, and the driver does not get it. */
export function dueWaived(due: Due): Entry {
  return entry('due_waived', stepKey(due), due.booking, [
    { account: dueAccount(due.booking), amount: -due.open },
    { account: userAccount(due.rider), amount: due.open },
  ])
}

/** A due only shrinks, so what is still open names each step of it: two that see the same open amount exclude each other. */
const stepKey = ({ booking, open }: Due) => `${booking}:due:${open}`
