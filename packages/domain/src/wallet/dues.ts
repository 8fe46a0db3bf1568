import type { Amount } from '../money/amount.ts'
import { dueAccount, type Entry, entry, userAccount } from './ledger.ts'

/** The amount a booking's driver is owed and its rider has not paid yet. */
export interface Due {
  booking: string
  rider: string
  driver: string
  open: Amount
}

/**
 * Releases dues to drivers once the rider has paid, oldest first: up to the amount by which the open dues exceed the
 * rider's negative balance. `dues` are in the order in which they arose.
 */
export function dueReleases(dues: readonly Due[], balance: Amount): Entry[] {
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

/** An admin waives the rest of a due: the rider no longer owes it, and the driver does not get it. */
export function dueWaived(due: Due): Entry {
  return entry('due_waived', stepKey(due), due.booking, [
    { account: dueAccount(due.booking), amount: -due.open },
    { account: userAccount(due.rider), amount: due.open },
  ])
}

/** A due only shrinks, so the open amount identifies each step: two steps from the same amount exclude each other. */
const stepKey = ({ booking, open }: Due) => `${booking}:due:${open}`
