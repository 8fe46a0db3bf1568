import type { OutstandingView } from '@hansom/contract/bookings'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import classes from './wallet.module.css'

/** The outstanding amount of a rider or driver, its parts and how to settle it. Empty if nothing is owed. */
export function OutstandingCard() {
  const { t } = useText()
  const me = useMe()
  const query = useQuery(orpc.bookings.outstanding.queryOptions())
  const owes = query.data
  if (me === null || owes === undefined) return null
  if (owes.total === 0 && owes.trips.length === 0) return null
  const isDriver = me.usertype === 'driver'
  return (
    <section className={classes.card} aria-labelledby="outstanding">
      <h2 id="outstanding" className={classes.heading}>
        {t(isDriver ? 'wallet.owed_driver' : 'wallet.owed')}
      </h2>
      <p className={classes.owed}>
        <Money amount={owes.total} />
      </p>
      {owes.cash_blocked ? <Notice tone="bad">{t('wallet.owed_blocked')}</Notice> : null}
      <Parts owes={owes} />
      <Settle owes={owes} isDriver={isDriver} />
    </section>
  )
}

function Parts({ owes }: { owes: OutstandingView }) {
  const { t } = useText()
  const named = owes.fees.reduce((sum, { amount }) => sum + amount, 0)
  const rest = owes.below - named
  if (owes.trips.length + owes.fees.length === 0) return null
  return (
    <ul className={classes.list}>
      {owes.trips.map((trip) => (
        <li key={trip.id} className={classes.item}>
          <div className={classes.words}>
            <span className={classes.what}>
              <Link to="/trip/$id" params={{ id: trip.id }}>
                {t('wallet.owed_trip')} <Ltr>{trip.booking_id}</Ltr>
              </Link>
            </span>
            <When at={trip.at} />
            {trip.contested ? <span className={classes.when}>{t('wallet.owed_contested')}</span> : null}
          </div>
          <div className={classes.figures}>
            <Money amount={trip.amount} />
          </div>
        </li>
      ))}
      {owes.fees.map((fee) => (
        <li key={fee.id} className={classes.item}>
          <div className={classes.words}>
            <span className={classes.what}>
              <Link to="/trip/$id" params={{ id: fee.id }}>
                {t(`wallet.owed_${fee.kind === 'fee' ? 'fee' : 'difference'}`)} <Ltr>{fee.booking_id}</Ltr>
              </Link>
            </span>
            <When at={fee.at} />
          </div>
          <div className={classes.figures}>
            <Money amount={fee.amount} />
          </div>
        </li>
      ))}
      {rest > 0 ? (
        <li className={classes.item}>
          <span className={classes.what}>{t('wallet.owed_other')}</span>
          <div className={classes.figures}>
            <Money amount={rest} />
          </div>
        </li>
      ) : null}
    </ul>
  )
}

function When({ at }: { at: number }) {
  const format = useFormat()
  return (
    <span className={classes.when}>
      <bdi>{format.dateTime(at)}</bdi>
    </span>
  )
}

function Settle({ owes, isDriver }: { owes: OutstandingView; isDriver: boolean }) {
  const { t } = useText()
  const format = useFormat()
  const { cardAvailable } = useSettings()
  const [next] = owes.trips.filter(({ contested }) => !contested)
  return (
    <>
      <p className={classes.intro}>{t(isDriver ? 'wallet.settle_driver' : 'wallet.settle_rider')}</p>
      {next ? (
        <Link
          to="/trip/$id"
          params={{ id: next.id }}
          className={`${buttonClass({ variant: 'primary' })} ${classes.settle}`}
        >
          {t('wallet.settle_trip')}
        </Link>
      ) : null}
      <ul className={classes.ways}>
        {cardAvailable ? <li>{t('wallet.settle_card')}</li> : null}
        <li>{t('wallet.settle_desk')}</li>
        {owes.limit === null ? null : (
          <li>{t('wallet.owed_limit', { amount: isolated(format.money(owes.limit)) })}</li>
        )}
      </ul>
    </>
  )
}
