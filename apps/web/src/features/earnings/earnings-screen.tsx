import { earningSteps, periodAfter, periodBefore } from '@hansom/domain/earnings/period'
import { mayWithdraw } from '@hansom/domain/wallet/withdraw'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { queryClient } from '../../lib/query-client.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../ui/page-states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { EarningLines, PartsList } from './earning-lines.tsx'
import classes from './earnings.module.css'
import { type EarningsAddress, useEarningsAddress, usePeriodWords } from './earnings-period.ts'
import { PeriodFigures } from './period-figures.tsx'

/** The balance has changed: a trip may have been paid. */
function reload(): void {
  void queryClient.invalidateQueries({ queryKey: orpc.earnings.key() })
}

/** The driver's earnings of a day, week or month, with their breakdown and trips. */
export function EarningsScreen() {
  const { t } = useText()
  const { show, today, ...address } = useEarningsAddress()
  const { by, from, isCurrent } = address
  useLive('user', null, { onEvent: reload })
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

/** True for a period without any movement; a bonus and a refund may add up to zero. */
const isStill = ({
  trips,
  bonus,
  refund,
  cancellationFee,
}: Record<'trips' | 'bonus' | 'refund' | 'cancellationFee', number>) =>
  trips === 0 && bonus === 0 && refund === 0 && cancellationFee === 0

interface Props {
  address: EarningsAddress
  today: string
  onChange: (next: Pick<EarningsAddress, 'by' | 'from'>) => void
}

/** The period, with buttons for the previous and the next one. */
function PeriodPicker({ address, today, onChange }: Props) {
  const { t } = useText()
  const words = usePeriodWords()
  const { by, from, isCurrent } = address
  const step = (to: string) => onChange({ by, from: to })
  return (
    <div className={classes.picker}>
      <Button
        size="icon"
        aria-label={t(`earnings.before_${by}`)}
        onClick={() => step(periodBefore(by, from).from)}
      >
        <IconChevronLeft className={classes.arrow} size={20} aria-hidden />
      </Button>
      <p className={classes.period} aria-live="polite">
        <span>{isCurrent ? t(`earnings.current_${by}`) : <bdi>{words.title(by, address)}</bdi>}</span>
        {isCurrent ? <bdi className={classes.quiet}>{words.title(by, address)}</bdi> : null}
      </p>
      <Button
        size="icon"
        aria-label={t(`earnings.after_${by}`)}
        disabled={isCurrent}
        onClick={() => step(periodAfter(by, from).from)}
      >
        <IconChevronRight className={classes.arrow} size={20} aria-hidden />
      </Button>
      {isCurrent ? null : (
        <Button variant="quiet" className={classes.back} onClick={() => step(today)}>
          {t(`earnings.current_${by}`)}
        </Button>
      )}
    </div>
  )
}

/** The wallet balance with its actions. `isNext`: withdrawing is the page's next step. */
function BalancePanel({ isNext }: { isNext: boolean }) {
  const { t } = useText()
  const me = useMe()
  const settings = useSettings()
  if (me === null) return null
  const balance = me.walletBalance
  return (
    <section className={classes.balance} aria-labelledby="earnings-balance">
      <div>
        <h2 id="earnings-balance" className={classes.label}>
          {t('earnings.balance')}
        </h2>
        <p className={balance < 0 ? `${classes.held} ${classes.owed}` : classes.held}>
          <Money amount={balance} />
        </p>
        {balance < 0 ? <p className={classes.quiet}>{t('earnings.owed')}</p> : null}
      </div>
      <div className={classes.buttons}>
        {balance > 0 && mayWithdraw(me.usertype, settings) ? (
          <Link
            to="/wallet"
            search={{ withdraw: 'true' }}
            className={isNext ? buttonClass({ variant: 'primary' }) : `${buttonClass()} ${classes.onLacquer}`}
          >
            {t('earnings.withdraw')}
          </Link>
        ) : null}
        <Link to="/wallet" className={`${buttonClass()} ${classes.onLacquer}`}>
          {t('earnings.open_wallet')}
        </Link>
      </div>
    </section>
  )
}
