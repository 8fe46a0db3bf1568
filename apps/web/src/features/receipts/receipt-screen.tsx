import { ApiError } from '@hansom/client/api-error'
import type { Receipt } from '@hansom/contract/receipts'
import type { KeyIn } from '@hansom/domain/languages/text-key'
import { unit } from '@hansom/domain/money/amount'
import { IconFileTypePdf, IconMail, IconPrinter } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { CarTypeName, useExtraText } from '../../entities/car-types/car-type-name.tsx'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { idempotentCall } from '../../lib/idempotent-call.ts'
import { useMe } from '../../lib/session.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DownloadLink } from '../../ui/download-link.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './receipt.module.css'

/** A trip's receipt on one sheet: to read, to print and to have sent. */
export function ReceiptScreen() {
  const { id } = useParams({ from: '/app/receipt/$id' })
  const { t } = useText()
  const query = useQuery(orpc.receipts.show.queryOptions({ input: { id } }))
  if (query.isPending) return <LoadingState rows={5} height="56px" />
  if (query.isError) {
    const isNone = query.error instanceof ApiError && query.error.key === 'wrong_status'
    if (!isNone) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    return (
      <EmptyState heading="h1" title={t('receipts.none')} action={<BackToTrip id={id} />}>
        {t('receipts.none_text')}
      </EmptyState>
    )
  }
  return <Sheet receipt={query.data} />
}

function BackToTrip({ id }: { id: string }) {
  const { t } = useText()
  return (
    <Link to="/trip/$id" params={{ id }} className={buttonClass()}>
      {t('receipts.back')}
    </Link>
  )
}

function Sheet({ receipt }: { receipt: Receipt }) {
  const { t } = useText()
  const { operator } = receipt
  return (
    <div className={classes.page}>
      <Actions receipt={receipt} />
      <article className={classes.sheet} aria-labelledby="receipt-title">
        <header className={classes.head}>
          <div>
            <p className={classes.operator}>
              <bdi>{operator.name}</bdi>
            </p>
            {operator.address === '' ? null : (
              <p className={classes.contact}>
                <bdi>{operator.address}</bdi>
              </p>
            )}
            {operator.tax_number === '' ? null : (
              <p className={classes.contact}>
                {t('receipts.tax_number', { number: isolated(operator.tax_number) })}
              </p>
            )}
            <p className={classes.contact}>
              {[operator.website, operator.email].filter(Boolean).map((text) => (
                <Ltr key={text}>{text}</Ltr>
              ))}
            </p>
          </div>
          <h1 id="receipt-title" className={classes.title}>
            {t('receipts.title')}
          </h1>
        </header>
        <Facts receipt={receipt} />
        <Lines receipt={receipt} />
        <p className={classes.note}>
          {t('receipts.currency', { currency: isolated(receipt.currency) })}{' '}
          {receipt.status === 'CANCELLED' ? null : t('receipts.thanks', { name: isolated(operator.name) })}
        </p>
      </article>
    </div>
  )
}

function Actions({ receipt }: { receipt: Receipt }) {
  const { t } = useText()
  const me = useMe()
  const send = useMutation({
    mutationFn: () => idempotentCall('receipts.mail', { id: receipt.booking }, api.receipts.mail),
  })
  return (
    <div className={classes.actions}>
      <BackToTrip id={receipt.booking} />
      <span className={classes.space} />
      {me?.usertype === 'rider' || me?.usertype === 'admin' ? (
        <Button busy={send.isPending} onClick={() => send.mutate()}>
          <IconMail size={20} aria-hidden />
          {t('receipts.send')}
        </Button>
      ) : null}
      <DownloadLink href={`/api/v1/bookings/${receipt.booking}/receipt.pdf`} className={buttonClass()}>
        <IconFileTypePdf size={20} aria-hidden />
        {t('receipts.pdf')}
      </DownloadLink>
      <Button onClick={() => window.print()}>
        <IconPrinter size={20} aria-hidden />
        {t('receipts.print')}
      </Button>
      <div className={classes.told}>
        {send.isSuccess ? (
          <Notice tone="good">{t('receipts.sent', { to: isolated(send.data.to) })}</Notice>
        ) : null}
        {send.isError ? (
          <Notice tone="bad">
            <ErrorMessage error={send.error} />
          </Notice>
        ) : null}
      </div>
    </div>
  )
}

function Facts({ receipt }: { receipt: Receipt }) {
  const { t } = useText()
  const format = useFormat()
  const extraText = useExtraText()
  const { driver } = receipt
  const facts: Fact[] = [
    ['number', <Ltr key="number">{receipt.serial}</Ltr>],
    ['booking', <Ltr key="booking">{receipt.number}</Ltr>],
    ['issued', <bdi key="issued">{format.fullDateTime(receipt.issued_at)}</bdi>],
    ['rider', <bdi key="rider">{receipt.rider.name}</bdi>],
    ...(driver
      ? [
          [
            'driver',
            <span key="driver">
              <bdi>{driver.name}</bdi> · <bdi>{driver.vehicle}</bdi>
            </span>,
          ] as Fact,
        ]
      : []),
    ['car', <CarTypeName key="car" stored={receipt.carType} />],
    ...(receipt.parcel.length > 0
      ? [['parcel', <bdi key="parcel">{receipt.parcel.map(extraText).join(' · ')}</bdi>] as Fact]
      : []),
    ['from', <bdi key="from">{receipt.from}</bdi>],
    ...stopFacts(receipt, t),
  ]
  if (receipt.begun_at !== null && receipt.ended_at !== null) {
    facts.push(['begun', <bdi key="begun">{format.fullDateTime(receipt.begun_at)}</bdi>])
    facts.push(['ended', <bdi key="ended">{format.fullDateTime(receipt.ended_at)}</bdi>])
  }
  if (receipt.distance !== null) {
    facts.push(['distance', <bdi key="distance">{format.distance(receipt.distance)}</bdi>])
    facts.push(['time', <bdi key="time">{format.duration(receipt.seconds ?? 0)}</bdi>])
  }
  return (
    <dl className={classes.facts}>
      {facts.map(([key, value, number]) => (
        <div key={`${key} ${number}`} data-place={placeFacts.includes(key) || undefined}>
          <dt>{t(`receipts.${key}`, number === undefined ? {} : { number })}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

type Fact = [name: KeyIn<'receipts'>, value: React.ReactNode, number?: number]

const placeFacts: readonly string[] = ['from', 'to', 'stop']

/** Where a trip went, or the drops of a delivery. */
function stopFacts({ stops, to }: Receipt, t: ReturnType<typeof useText>['t']): Fact[] {
  if (stops.length === 0) return [['to', <bdi key="to">{to}</bdi>]]
  return stops.map(({ address, outcome }, index) => [
    'stop',
    <span key="stop">
      <bdi>{address}</bdi>
      {outcome === null || outcome === 'delivered' ? null : <> · {t('receipts.not_delivered')}</>}
    </span>,
    index + 1,
  ])
}

function Lines({ receipt }: { receipt: Receipt }) {
  const { t } = useText()
  const format = useFormat()
  const { currency } = useSettings().code === receipt.currency ? { currency: null } : receipt
  return (
    <>
      <table className={classes.lines}>
        <caption>{t('receipts.of_trip')}</caption>
        <tbody>
          {receipt.lines.map(({ key, amount, kind }) => (
            <tr key={key} data-kind={kind}>
              <th scope="row">{t(key)}</th>
              <td>
                <Money amount={amount} /> {currency}
              </td>
            </tr>
          ))}
          <TaxRows tax={receipt.tax} currency={currency} />
        </tbody>
      </table>
      {receipt.paid.length + receipt.refunds.length === 0 ? null : (
        <table className={classes.lines}>
          <caption>{t('receipts.how_paid')}</caption>
          <tbody>
            {receipt.paid.map(({ key, amount, provider, reference }) => (
              <tr key={`${key} ${reference}`}>
                <th scope="row">
                  {t(key)}
                  {provider ? (
                    <>
                      {' '}
                      · <bdi>{t(`payments.provider_${provider}`)}</bdi>
                    </>
                  ) : null}
                  {reference ? (
                    <small>
                      {' '}
                      · <Ltr>{reference}</Ltr>
                    </small>
                  ) : null}
                </th>
                <td>
                  <Money amount={amount} />
                </td>
              </tr>
            ))}
            {receipt.outstanding > 0 ? (
              <tr>
                <th scope="row">{t('receipts.outstanding')}</th>
                <td>
                  <Money amount={receipt.outstanding} />
                </td>
              </tr>
            ) : null}
            {receipt.refunds.map(({ id, at, amount, reason, state }) => (
              <tr key={id} data-kind="less">
                <th scope="row">
                  {t('receipts.refund')}
                  <small>
                    {' '}
                    · <bdi>{format.date(at)}</bdi>
                    {reason === '' ? null : (
                      <>
                        {' '}
                        · <bdi>{reason}</bdi>
                      </>
                    )}
                    {state === 'confirmed' ? null : ` · ${t('receipts.refund_on_way')}`}
                  </small>
                </th>
                <td>
                  <Money amount={-amount} />
                </td>
              </tr>
            ))}
            {receipt.refunds.length > 0 ? (
              <tr data-kind="due">
                <th scope="row">{t('receipts.net')}</th>
                <td>
                  <Money amount={receipt.net} />
                </td>
              </tr>
            ) : null}
            <TaxRows tax={receipt.net_tax} currency={null} />
          </tbody>
        </table>
      )}
    </>
  )
}

/** The tax in the amount above, by rate. */
function TaxRows({ tax, currency }: { tax: Receipt['tax']; currency: string | null }) {
  const { t } = useText()
  const format = useFormat()
  return tax.map(({ name, rate, base, amount }) => (
    <tr key={rate} data-kind="tax">
      <th scope="row">
        {t('receipts.tax', {
          name: isolated(name),
          rate: format.number(rate / unit, 4),
          base: format.money(base),
        })}
      </th>
      <td>
        <Money amount={amount} /> {currency}
      </td>
    </tr>
  ))
}
