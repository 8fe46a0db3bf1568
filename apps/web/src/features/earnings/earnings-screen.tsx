import { earningSteps } from '@hansom/domain/earnings/period'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { buttonClass } from '../../ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/page-states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { BalancePanel } from './balance-panel.tsx'
import { EarningLines } from './earning-lines.tsx'
import classes from './earnings.module.css'
import { PartsList } from './parts-list.tsx'
import { PeriodFigures } from './period-figures.tsx'
import { PeriodPicker } from './period-picker.tsx'
import { useEarningsAddress } from './use-earnings-address.ts'

/** The balance has moved, so maybe a trip was paid. */
function readAnew(): void {
  void queryClient.invalidateQueries({ queryKey: orpc.earnings.key() })
}

/** A driver's own earnings: of a day, a week or a month, how they come about, and the trips behind them. */
export function EarningsScreen() {
  const { t } = useText()
  const { show, today, ...address } = useEarningsAddress()
  const { by, from, isCurrent } = address
  useLive('user', null, { onEvent: readAnew })
  const query = useQuery(orpc.earnings.period.queryOptions({ input: { by, day: from } }))
  const period = query.data
  const isEmpty = period !== undefined && period.total.trips === 0 && period.parts.every(isStill)
  return (
    <div className={classes.page}>
      <h1 className={classes.title}>{t('earnings.title')}</h1>
      <Tabs
        label={t('earnings.by')}
        tabs={earningSteps.map((step) => ({ id: step, label: t(`earnings.by_${step}`) }))}
        value={by}
        onChange={(step) => show({ by: step, from: isCurrent ? today : from })}
      >
        <div className={classes.panel}>
          <PeriodPicker address={address} today={today} onChange={show} />
          <div className={classes.columns}>
            <div className={classes.main}>
              {query.isPending ? <Skeleton height="360px" /> : null}
              {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
              {isEmpty ? (
                <div className={classes.nothing}>
                  <EmptyState
                    title={t(`earnings.none_${by}`)}
                    action={
                      isCurrent ? (
                        <Link to="/bookings" className={buttonClass({ variant: 'primary' })}>
                          {t('earnings.go_online')}
                        </Link>
                      ) : undefined
                    }
                  >
                    {t('earnings.none_text')}
                  </EmptyState>
                </div>
              ) : null}
              {period && !isEmpty ? <PeriodFigures period={period} /> : null}
            </div>
            <div className={classes.aside}>
              {period && !isEmpty ? (
                <section className={classes.card} aria-labelledby="earning-parts">
                  <h2 id="earning-parts" className={classes.heading}>
                    {t('earnings.parts')}
                  </h2>
                  <PartsList of={period.total} />
                  {period.total.cash > 0 ? (
                    <p className={classes.quiet}>{t('earnings.cash_explained')}</p>
                  ) : null}
                </section>
              ) : null}
              <BalancePanel isNext={period !== undefined && !(isEmpty && isCurrent)} />
            </div>
            {period && !isEmpty ? (
              <div className={classes.behind}>
                <EarningLines key={`${by}:${from}`} by={by} day={from} />
              </div>
            ) : null}
          </div>
        </div>
      </Tabs>
    </div>
  )
}

/** Nothing moved; a bonus and a refund may make zero together. */
const isStill = ({
  trips,
  bonus,
  refund,
  cancellationFee,
}: Record<'trips' | 'bonus' | 'refund' | 'cancellationFee', number>) =>
  trips === 0 && bonus === 0 && refund === 0 && cancellationFee === 0
