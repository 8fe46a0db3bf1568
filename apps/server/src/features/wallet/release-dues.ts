import { Refusal } from '@hansom/domain/error-keys'
import { moneyText } from '@hansom/domain/money/amount'
import { fullName } from '@hansom/domain/users/full-name'
import { type Due, dueReleases, dueWaived } from '@hansom/domain/wallet/dues'
import { sumOf, userAccount } from '@hansom/domain/wallet/ledger'
import { writeAudit } from '../../platform/audit/audit.ts'
import type { Transaction } from '../../platform/database/transaction.ts'
import type { NewEvent } from '../../platform/outbox/event.ts'
import { idempotent } from '../../platform/outbox/idempotency.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { WalletCommandDeps } from './lock-wallet.ts'

/** Event kind: `append_ledger` writes it when a rider's balance rises above the dues of drivers. */
const walletRose = 'wallet.rose'

/** In the wallet's stream: the rider's balance may cover more of the dues. */
export function releaseEvent(user: string): NewEvent {
  return { kind: walletRose, stream: `wallet:${user}`, payload: { user } }
}

/** Releases to drivers what a rider has paid, in the outbox transaction: at least once, and only once by its keys. */
export function registerReleases(deps: ReleaseDeps): void {
  deps.outbox.on(walletRose, ({ payload }, tx) => releaseDues(deps, tx, payload.user as string))
}

export type ReleaseDeps = Omit<WalletCommandDeps, 'database' | 'outbox'> & {
  outbox: Pick<Outbox, 'on' | 'write'>
}

/** Releases what a rider's balance allows. */
async function releaseDues(
  deps: Omit<WalletCommandDeps, 'database'>,
  tx: Transaction,
  rider: string,
): Promise<void> {
  const { dues, balance } = await lockDues(deps.users, tx, rider)
  const entries = dueReleases(dues, balance)
  if (entries.length === 0) return
  const { code, decimal, ...settings } = await deps.settings.current()
  const at = deps.clock.now()
  await deps.wallet.append(tx, entries, { at, currency: code, by: null })
  const paid = entries.flatMap(({ booking, key }) => {
    const due = dues.find((one) => one.booking === booking)
    return due ? [{ ...due, key }] : []
  })
  await deps.users.notify(
    tx,
    paid.map(({ booking, driver, key }) => ({
      user_id: driver,
      at,
      title: 'notify.due_released.title',
      msg: 'notify.due_released.msg',
      params: {
        amount: moneyText(
          sumOf(
            entries.filter((one) => one.key === key),
            userAccount(driver),
          ),
          decimal,
          settings,
        ),
      },
      screen: 'wallet' as const,
      booking_id: booking,
      dedupe: key,
    })),
  )
  await deps.outbox.write(
    tx,
    [...new Set(paid.map(({ driver }) => driver))].map((driver) => userChangedEvent(driver)),
  )
}

/**
 * A rider's open dues, oldest first, and the balance. Rider and drivers are locked in the order of their IDs, as
 * everywhere, until the transaction ends.
 */
async function lockDues(
  users: WalletCommandDeps['users'],
  tx: Transaction,
  rider: string,
): Promise<{ dues: Due[]; balance: number }> {
  const drivers = await tx.client.query<{ driver: string }>(
    'select driver from dues where rider = $1 and open > 0',
    [rider],
  )
  const locked = await users.lock(tx, [rider, ...drivers.rows.map(({ driver }) => driver)])
  const { rows } = await tx.client.query<Due>(
    `select booking_id as booking, rider, driver, open from dues where rider = $1 and open > 0 order by at, booking_id`,
    [rider],
  )
  return { dues: rows, balance: locked.get(rider)?.walletBalance ?? 0 }
}

/** Waives an open due as an admin, once per key. Throws not_found if nothing is open. */
export async function waiveDue(
  deps: WalletCommandDeps,
  by: string,
  { booking, reason }: { booking: string; reason: string },
  key: string | null,
): Promise<{ booking: string; amount: number }> {
  const settings = await deps.settings.current()
  const at = deps.clock.now()
  return deps.database.withTransaction(async (tx) => {
    const once = { user: by, command: 'wallet.waive', key, body: { booking, reason }, at }
    await idempotent(tx, once, async () => {
      const owner = await tx.client.query<{ rider: string }>('select rider from dues where booking_id = $1', [
        booking,
      ])
      const rider = owner.rows[0] && (await deps.users.find(owner.rows[0].rider, tx.db))
      if (!rider) throw new Refusal('not_found')
      // What the rider has paid, or the platform for them, belongs to the driver, even if its release still waits.
      await releaseDues(deps, tx, rider.id)
      const { dues, balance } = await lockDues(deps.users, tx, rider.id)
      const due = dues.find((one) => one.booking === booking)
      if (!due) throw new Refusal('not_found')
      const amount = due.open
      const origin = { at, currency: settings.code, by, note: reason }
      await deps.wallet.append(tx, [dueWaived(due)], origin)
      await writeAudit(tx, {
        by,
        at,
        action: 'wallet.waive',
        kind: 'wallet',
        subject: due.rider,
        label: fullName(rider),
        person: due.rider,
        before: { balance },
        after: { balance: balance + amount, amount, reason },
      })
      const params = { amount: moneyText(amount, settings.decimal, settings) }
      await deps.users.notify(
        tx,
        [due.rider, due.driver].map((user_id) => ({
          user_id,
          at,
          title: 'notify.due_waived.title',
          msg: 'notify.due_waived.msg',
          params,
          screen: 'wallet' as const,
          booking_id: booking,
          dedupe: `waived:${booking}:${user_id}`,
        })),
      )
      await deps.outbox.write(tx, [userChangedEvent(due.rider), userChangedEvent(due.driver)])
      return booking
    })
    // A due is waived only once and completely.
    const { rows } = await tx.client.query<{ amount: number }>(
      'select waived as amount from dues where booking_id = $1',
      [booking],
    )
    return { booking, amount: rows[0]?.amount ?? 0 }
  })
}
