import type { DriverState } from '@hansom/contract/tracking'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import classes from './driver.module.css'

/** Today's trips, what they earned, and the cash that is owed to the platform. */
export function TodayCard({ today }: { today: DriverState['today'] }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <dl className={classes.today} aria-label={t('driver.today')}>
      <div>
        <dt>{t('driver.today_trips')}</dt>
        <dd>
          <bdi>{format.number(today.trips)}</bdi>
        </dd>
      </div>
      <div>
        <dt>{t('driver.today_earnings')}</dt>
        <dd>
          <Money amount={today.earnings} />
        </dd>
      </div>
      <div>
        <dt>{t('driver.today_owed')}</dt>
        <dd>
          <Money amount={today.cash_owed} />
        </dd>
      </div>
    </dl>
  )
}
