import type { EarningPartsView } from '@hansom/contract/earnings'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import classes from './earnings.module.css'

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
