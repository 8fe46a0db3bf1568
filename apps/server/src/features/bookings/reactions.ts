import { referralBonus } from '@hansom/domain/wallet/user-entries'
import type { Database } from '../../platform/database/database.ts'
import { withIdempotency } from '../../platform/outbox/idempotency.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { CurrentSettings } from '../settings/service.ts'
import type { UsersService } from '../users/service.ts'
import { userChangedEvent } from '../users/user-changed.ts'
import type { WalletService } from '../wallet/service.ts'
import type { BookingJobs } from './dispatch/jobs.ts'
import { type BookingNews, bookingChanged, type LaterEffect, readNews } from './news.ts'

export interface ReactionDeps {
  database: Database
  outbox: Outbox
  settings: { current(): Promise<CurrentSettings> }
  users: UsersService
  wallet: WalletService
  jobs: BookingJobs
}

type Later<K extends LaterEffect['kind']> = Extract<LaterEffect, { kind: K }>

/** Carries out what a booking's change asks for after its commit. Every reaction may come twice and counts once. */
export function registerReactions(deps: ReactionDeps): void {
  const { outbox, jobs } = deps
  outbox.on(bookingChanged, async ({ payload }) => {
    const news = readNews(payload)
    for (const effect of news.effects) {
      if (effect.kind === 'dispatch' || effect.kind === 'schedule') {
        await jobs.enqueue(news.booking, news.wave, effect)
      }
    }
    await storeNotifications(deps, news)
    for (const effect of news.effects) {
      if (effect.kind === 'save_address') await saveAddress(deps, news, effect)
      if (effect.kind === 'referral_bonus') await payReferral(deps, news, effect)
    }
  })
}

async function storeNotifications({ database, users }: ReactionDeps, news: BookingNews): Promise<void> {
  const notices = news.effects.filter((effect): effect is Later<'notify'> => effect.kind === 'notify')
  if (notices.length === 0) return
  await database.withTransaction((tx) =>
    users.notify(
      tx,
      notices.map(({ user, title, msg, params, screen }, index) => ({
        user_id: user,
        at: news.at,
        title,
        msg,
        params,
        screen,
        booking_id: news.booking,
        dedupe: `${news.booking}:${news.version}:${index}`,
      })),
    ),
  )
}

async function saveAddress(
  { database, users }: ReactionDeps,
  { booking, at }: BookingNews,
  { user, point }: Later<'save_address'>,
): Promise<void> {
  await database.withTransaction((tx) =>
    withIdempotency(tx, { user, command: 'save_address', key: booking, body: booking, now: at }, () =>
      users.countVisit(tx, user, point),
    ),
  )
}

/** Paid at a newcomer's first completed trip, when somebody referred him. */
async function payReferral(
  { database, outbox, settings, wallet }: ReactionDeps,
  { booking, at }: BookingNews,
  { newcomer }: Later<'referral_bonus'>,
): Promise<void> {
  const { bonus, code } = await settings.current()
  if (bonus <= 0) return
  const reply = await database.pool.query<{ referrer: string; first: string | null }>(
    `select u.signup_via_referral as referrer,
        (select b.id from bookings b where b.status = 'COMPLETE' and (b.customer = u.id or b.driver = u.id)
          order by b.closed_at, b.id limit 1) as first
      from users u where u.id = $1 and u.signup_via_referral is not null`,
    [newcomer],
  )
  const referred = reply.rows[0]
  if (!referred || referred.first !== booking || referred.referrer === newcomer) return
  const entry = referralBonus(newcomer, referred.referrer, bonus, booking)
  if (!(await wallet.appendOnce([entry], { at, currency: code, by: null }))) return
  await database.withTransaction((tx) =>
    outbox.write(tx, [userChangedEvent(newcomer), userChangedEvent(referred.referrer)]),
  )
}
