import type { EarningLine, EarningPartsView } from '@hansom/contract/earnings'
import type { EarningStep } from '@hansom/domain/earnings/period'
import type { TextKey } from '@hansom/domain/languages/text-key'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './earnings.module.css'

/** Earnings of a period, newest first; each line expands into its parts. */
export function EarningLines({ by, day }: { by: EarningStep; day: string }) {
  const { t } = useText()
  const query = useInfiniteQuery(
    orpc.earnings.lines.infiniteOptions({
      input: (cursor: string | undefined) => ({ by, day, ...(cursor !== undefined && { cursor }) }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const lines = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section className={classes.lines} aria-labelledby="earning-lines">
      <h2 id="earning-lines" className={classes.heading}>
        {t('earnings.lines')}
      </h2>
      {query.isPending ? <LoadingState rows={4} height="68px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {lines.length > 0 ? (
        <ul className={classes.list}>
          {lines.map((line) => (
            <Line key={line.id} line={line} by={by} />
          ))}
        </ul>
      ) : null}
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('earnings.more')}
        </Button>
      ) : null}
    </section>
  )
}

/** How the rider paid: cash if the driver received cash, regardless of the chosen method. */
function paymentText({ cash, payment_mode: mode }: Pick<EarningLine, 'cash' | 'payment_mode'>): TextKey {
  if (cash > 0) return 'earnings.paid_cash'
  return mode === null || mode === 'cash' ? 'earnings.paid_none' : `earnings.paid_${mode}`
}

function Line({ line, by }: { line: EarningLine; by: EarningStep }) {
  const { t } = useText()
  const format = useFormat()
  const { kind, at, booking, booking_id, pickup, drop, reason } = line
  const isDriven = kind === 'trip' || kind === 'cancellation'
  const paid = kind === 'trip' ? t(paymentText(line)) : null
  return (
    <li>
      <details className={classes.line}>
        <summary>
          <span className={classes.words}>
            <span className={classes.what}>
              {isDriven && drop ? <bdi>{drop}</bdi> : t(`earnings.kind_${kind}`)}
            </span>
            <span className={classes.when}>
              <Ltr>{by === 'day' ? format.clock(at) : format.dateTime(at)}</Ltr>
              {kind === 'cancellation' ? <span>{t('earnings.kind_cancellation')}</span> : null}
              {paid ? <span>{paid}</span> : null}
              {kind === 'refund' && booking_id ? <Ltr>{booking_id}</Ltr> : null}
            </span>
          </span>
          <span className={line.earned < 0 ? classes.below : classes.amount}>
            <Money amount={line.earned} />
          </span>
        </summary>
        <div className={classes.opened}>
          {pickup ? (
            <p className={classes.way}>
              <span>{t('earnings.from')}</span> <bdi>{pickup}</bdi>
            </p>
          ) : null}
          {reason ? (
            <p className={classes.way}>
              <span>{t('earnings.reason')}</span> <bdi>{reason}</bdi>
            </p>
          ) : null}
          <PartsList of={line} paid={paid} />
          {booking ? (
            <Link to="/trip/$id" params={{ id: booking }} className={classes.link}>
              {t('earnings.open_trip')}
            </Link>
          ) : null}
        </div>
      </details>
    </li>
  )
}

interface Row {
  label: string
  amount: number
  sum?: boolean
  /** The first line of the wallet's part. */
  after?: boolean
}

/** Breakdown of a figure, from trip costs to the wallet credit; each line adds to the next subtotal. */
export function PartsList({ of, paid }: { of: EarningPartsView; paid?: string | null }) {
  const { t } = useText()
  const hasTrips = of.trips > 0
  const extras = [
    { label: t('earnings.cancellation_fee'), amount: of.cancellationFee },
    { label: t('earnings.bonus'), amount: of.bonus },
    { label: t('earnings.refund'), amount: -of.refund },
  ].filter(({ amount }) => amount !== 0)
  const rows: Row[] = [
    ...(hasTrips
      ? [
          { label: t('earnings.trip_cost', { count: of.trips }), amount: of.tripCost },
          { label: t('earnings.platform_fee', { count: of.trips }), amount: -of.platformFee },
          { label: t('earnings.own_share'), amount: of.driverShare, sum: true },
        ]
      : []),
    ...extras,
    ...(hasTrips && extras.length > 0 ? [{ label: t('earnings.earned'), amount: of.earned, sum: true }] : []),
    ...(of.cash > 0 ? [{ label: t('earnings.cash_in_hand'), amount: -of.cash }] : []),
    of.toWallet < 0
      ? { label: t('earnings.out_of_wallet'), amount: of.toWallet, sum: true, after: true }
      : { label: t('earnings.to_wallet'), amount: of.toWallet, sum: true, after: true },
  ]
  return (
    <dl className={classes.parts}>
      {paid ? (
        <div>
          <dt>{t('earnings.paid_by')}</dt>
          <dd>{paid}</dd>
        </div>
      ) : null}
      {rows.map(({ label, amount, sum, after }) => (
        <div key={label} className={after ? classes.end : sum ? classes.sum : undefined}>
          <dt>{label}</dt>
          <dd>
            <Money amount={amount} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
