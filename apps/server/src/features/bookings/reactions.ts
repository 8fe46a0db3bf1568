import { debtTitles, type Ended, endedByChange, isEnded } from '@hansom/domain/notifications/endings'
import { referralBonus, referralBonusKey } from '@hansom/domain/wallet/user-entries'
import type { Transaction } from '../../platform/database/transaction.ts'
import { storedOrigin } from '../../platform/log/origin.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { NewNotification } from '../users/notifications.ts'
import type { UsersService } from '../users/service.ts'
import { userChanged, userChangedEvent } from '../users/user-changed.ts'
import { collectFromWallet, type WalletService } from '../wallet/service.ts'
import {
  type BookingChange,
  bookingChanged,
  type LaterEffect,
  readBookingChange,
} from './booking-changed-event.ts'
import type { BookingJobs, WantedJob } from './dispatch/jobs.ts'
import { readDebtFree } from './store/read-outstanding.ts'

export interface ReactionDeps {
  outbox: Outbox
  settings: { current(): Promise<CurrentSettings> }
  users: UsersService
  wallet: WalletService
  jobs: BookingJobs
}

type Later<K extends LaterEffect['kind']> = Extract<LaterEffect, { kind: K }>

/** Carries out the effects of booking changes in the transaction that completes their events, so each runs once. */
export function registerReactions(deps: ReactionDeps): void {
  const { outbox, jobs, users } = deps
  outbox.on(collectFromWallet, ({ payload }, tx) => jobs.collect(payload.user as string, tx))
  outbox.onBatch(userChanged, (events, tx) =>
    endDebts(
      deps,
      tx,
      events.map(({ payload }) => payload.user as string),
    ),
  )
  outbox.onBatch(bookingChanged, async (events, tx) => {
    const changes = events.map(({ payload }) => readBookingChange(payload))
    const ended = changes.map(endedByChange)
    await users.end(tx, { ended: ended.flat() })
    // What a later change of the batch has ended is stored as read, and sent to no device.
    await users.notify(
      tx,
      changes.flatMap((change, index) => notificationsOf(change, ended.slice(index + 1).flat())),
    )
    await endDebts(deps, tx, [
      ...changes.flatMap((change) => change.users),
      ...changes.flatMap(notifiedDebtors),
    ])
    const wanted = changes.flatMap((change, index) => {
      const origin = storedOrigin(events[index]?.payload)
      return wantedBy(change).map((one) => ({ ...one, origin }))
    })
    await jobs.enqueue(wanted, tx)
    for (const change of changes) {
      for (const effect of change.effects) {
        if (effect.kind === 'save_address') await users.countVisit(tx, effect.user, effect.point)
        if (effect.kind === 'referral_bonus') await payReferral(deps, change, effect, tx)
      }
    }
  })
}

const notifiedDebtors = ({ effects }: BookingChange): string[] =>
  effects.flatMap((effect) =>
    effect.kind === 'notify' && debtTitles.includes(effect.title) ? effect.user : [],
  )

/** Ends what those of some users were told about their debt who owe nothing any more. */
async function endDebts(
  { users }: ReactionDeps,
  tx: Transaction,
  concerned: readonly string[],
): Promise<void> {
  if (concerned.length === 0) return
  const readers = await users.readersOf(tx, concerned, debtTitles)
  if (readers.length === 0) return
  const free = await readDebtFree(tx.client, readers)
  await users.end(tx, { ended: free.map((user) => ({ user, titles: debtTitles })) })
}

export const wantedBy = ({ booking, wave, effects }: BookingChange): WantedJob[] =>
  effects.flatMap((effect) =>
    effect.kind === 'dispatch' || effect.kind === 'schedule' ? [{ booking, wave, effect }] : [],
  )

function notificationsOf(change: BookingChange, ended: readonly Ended[]): NewNotification[] {
  const notices = change.effects.filter((effect): effect is Later<'notify'> => effect.kind === 'notify')
  return notices.map(({ user, title, msg, params, screen, expires_at = null }, index) => ({
    user_id: user,
    at: change.at,
    title,
    msg,
    params,
    screen,
    booking_id: change.booking,
    read_at: isEnded({ title, user, booking: change.booking }, ended) ? change.at : null,
    expires_at,
    dedupe: `${change.booking}:${change.version}:${index}`,
  }))
}

/** SQL: true if the user has verified their phone number or email address. */
const isProven = (user: string) =>
  `(${user}.mobile_verified_at is not null
    or exists (select from verified_emails v where v.id = ${user}.id))`

/**
 * Paid for a referred newcomer's first completed trip if both people are verified and did not take that trip with each
 * other.
 */
async function payReferral(
  { outbox, settings, wallet }: ReactionDeps,
  { booking, at }: BookingChange,
  { newcomer }: Later<'referral_bonus'>,
  tx: Transaction,
): Promise<void> {
  const { bonus, code } = await settings.current()
  if (bonus <= 0) return
  const reply = await tx.client.query<{ referrer: string; first: string | null; paid: boolean }>(
    `select u.signup_via_referral as referrer,
        (select b.id from bookings b where b.status = 'COMPLETE' and (b.customer = u.id or b.driver = u.id)
          order by b.closed_at, b.id limit 1) as first,
        exists (select from ledger_records e where e.key = $2) as paid
      from user_facts u join user_facts r on r.id = u.signup_via_referral
        join bookings t on t.id = $3 and r.id <> t.customer and r.id is distinct from t.driver
      where u.id = $1 and ${isProven('u')} and ${isProven('r')}`,
    [newcomer, referralBonusKey(newcomer), booking],
  )
  const referred = reply.rows[0]
  if (!referred || referred.paid || referred.first !== booking || referred.referrer === newcomer) return
  const { referrer } = referred
  await wallet.append(tx, [referralBonus(newcomer, referrer, bonus, booking)], {
    at,
    currency: code,
    by: null,
  })
  await outbox.write(tx, [userChangedEvent(newcomer), userChangedEvent(referrer)])
}
