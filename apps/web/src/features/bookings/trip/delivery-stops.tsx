import type { BookingView } from '@hansom/contract/bookings'
import { hiddenForDemo } from '@hansom/domain/access/mask-contacts'
import { endedStatuses, isOneOf } from '@hansom/domain/bookings/status'
import { expectedAt, type ProofKind } from '@hansom/domain/deliveries/delivery'
import { IconCircleCheck, IconCircleX, IconCopy, IconShare2 } from '@tabler/icons-react'
import { useState } from 'react'
import { useReasonText } from '../../../entities/bookings/reason-text.ts'
import { ExtraText } from '../../../entities/car-types/car-type-name.tsx'
import { useServerNow } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { DownloadLink } from '../../../ui/download-link.tsx'
import { Ltr } from '../../../ui/ltr.tsx'
import { Money } from '../../../ui/money.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { PictureDialog } from '../../../ui/picture-dialog.tsx'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import { CorrectRecipient } from './correct-recipient.tsx'
import classes from './delivery-stops.module.css'
import { SaveRecipients } from './save-recipients.tsx'
import { stopTitle } from './stop-title.ts'

type Delivery = NonNullable<BookingView['delivery']>
type Stop = Delivery['stops'][number]

interface Props {
  view: BookingView
  delivery: Delivery
  /** The courier's arrival at the first open stop. */
  arrival: number | null
}

/** The stops of a delivery with their outcomes and proofs, what is sent, and what a return costs. */
export default function DeliveryStops({ view, delivery, arrival }: Props) {
  const { t } = useText()
  const format = useFormat()
  const now = useServerNow()
  const isOver = isOneOf(endedStatuses, view.status)
  const isPayer = view.viewer === 'rider' || view.viewer === 'admin'
  const isReturning = delivery.stops.some(({ kind, outcome }) => kind === 'return' && outcome !== 'not_done')
  const isOpen = delivery.stops.some(({ outcome }) => outcome === null)
  const cost = isolated(format.money(delivery.return_leg.cost))
  const drops = delivery.stops.filter(({ kind }) => kind === 'drop').length
  const paying = delivery.stops.find(({ collect }) => collect !== null)
  const parcel = [
    [t('delivery.parcel_type'), view.parcelTypeSelected],
    [t('delivery.option'), view.optionSelected],
  ] as const
  return (
    <section className={classes.delivery} data-printed aria-label={t('delivery.stops')}>
      <dl className={classes.parcel}>
        {parcel.map(([label, chosen]) =>
          chosen ? (
            <div key={label}>
              <dt>{label}</dt>
              <dd>
                <ExtraText stored={chosen.description} />
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      <ol className={classes.stops}>
        {delivery.stops.map((stop) => (
          <StopItem
            key={stop.n}
            view={view}
            stop={stop}
            now={now}
            expected={expectedAt(delivery, stop, now, arrival)}
            isOver={isOver}
            isOnly={drops === 1}
          />
        ))}
      </ol>
      <p className={classes.note}>
        {t('trip.distance_and_time', {
          distance: format.distance(view.distance ?? view.estimateDistance),
          time: format.duration(view.total_trip_time ?? view.estimateTime),
        })}
      </p>
      {isPayer && isReturning ? (
        <p className={classes.note}>{t('delivery.return_due', { amount: cost })}</p>
      ) : null}
      {isPayer && !isReturning && !isOver && isOpen ? (
        <p className={classes.note}>{t('delivery.return_price', { amount: cost })}</p>
      ) : null}
      {paying?.collect && !isOver ? (
        <p className={classes.note}>
          {t(paying.kind === 'pickup' ? 'delivery.fee_at_pickup' : 'delivery.fee_at_drop', {
            amount: isolated(format.money(paying.collect)),
          })}
        </p>
      ) : null}
      {isPayer && !isOver ? (
        <DownloadLink
          href={`/api/v1/bookings/${view.id}/labels.pdf`}
          className={buttonClass({ size: 'small' })}
        >
          {t('delivery.print_labels')}
        </DownloadLink>
      ) : null}
      {view.viewer === 'rider' && isOver ? <SaveRecipients stops={delivery.stops} /> : null}
    </section>
  )
}

interface StopProps {
  view: BookingView
  stop: Stop
  /** Now, and when the courier is expected, epoch ms. */
  now: number
  expected: number
  isOver: boolean
  isOnly: boolean
}

/** One stop: where, who, when, what happened. */
function StopItem({ view, stop, now, expected, isOver, isOnly }: StopProps) {
  const { t } = useText()
  const format = useFormat()
  const reasonText = useReasonText()
  const { kind, outcome, failure, window_from, window_to, share } = stop
  const title = stopTitle(stop, isOnly, t)
  const isDrop = kind === 'drop'
  const isToday = format.date(expected) === format.date(now)
  return (
    <li data-kind={kind} data-outcome={outcome ?? undefined}>
      <span className={classes.number} aria-hidden>
        {isDrop && !isOnly ? format.number(stop.n) : null}
      </span>
      <p className={classes.head}>
        <span>{title}</span>
        {share > 0 && outcome !== 'not_done' && (kind === 'return' || !isOnly) ? (
          <Money amount={share} />
        ) : null}
      </p>
      <p className={classes.place}>
        <bdi>{stop.place.add}</bdi>
      </p>
      <p className={classes.status}>
        {outcome ? (
          <>
            {outcome === 'failed' || outcome === 'not_done' ? (
              <IconCircleX size={18} aria-hidden />
            ) : (
              <IconCircleCheck size={18} aria-hidden />
            )}
            <strong>{t(`delivery.outcome_${outcome}`)}</strong>
            {stop.done_at === null ? null : <bdi>{format.clock(stop.done_at)}</bdi>}
            {failure ? <span>{reasonText(failure)}</span> : null}
          </>
        ) : isOver || (kind === 'pickup' && view.status === 'ARRIVED') ? null : (
          t('delivery.planned', {
            time: isolated(isToday ? format.clock(expected) : format.dateTime(expected)),
          })
        )}
      </p>
      {window_from !== null && window_to !== null && outcome === null ? (
        <p className={classes.note}>
          {t('delivery.window', {
            from: isolated(format.clock(window_from)),
            to: isolated(format.clock(window_to)),
          })}
        </p>
      ) : null}
      {isDrop && stop.person ? <Recipient name={stop.person} phone={stop.phone} /> : null}
      {stop.instructions ? (
        <p className={classes.note}>
          <bdi>{stop.instructions}</bdi>
        </p>
      ) : null}
      {stop.sender_instructions ? (
        <p className={classes.note}>
          {t('delivery.sender_wrote', { text: isolated(stop.sender_instructions) })}
        </p>
      ) : null}
      {stop.received_by ? (
        <p className={classes.note}>
          {t(stop.unsigned ? 'delivery.received_unsigned' : 'delivery.received_by', {
            name: isolated(stop.received_by),
          })}
        </p>
      ) : null}
      {stop.not_informed && outcome === null && !isOver ? (
        <Notice tone="attention">{t(`delivery.not_informed_${stop.not_informed}`)}</Notice>
      ) : null}
      {isDrop ? <CorrectRecipient view={view} stop={stop} /> : null}
      {stop.code && !isOver ? <StopCode code={stop.code} person={stop.person ?? ''} /> : null}
      {stop.photo || stop.signature ? (
        <div className={classes.proofs}>
          {stop.photo ? (
            <Proof kind="photo" src={stop.photo} label={t('delivery.photo', { stop: title })} />
          ) : null}
          {stop.signature ? (
            <Proof
              kind="signature"
              src={stop.signature}
              label={t('delivery.signature', { name: isolated(stop.received_by ?? stop.person ?? '') })}
            />
          ) : null}
        </div>
      ) : null}
    </li>
  )
}

function Recipient({ name, phone }: { name: string; phone: string | null }) {
  return (
    <p className={classes.person}>
      <bdi>{name}</bdi>
      {phone === hiddenForDemo ? <span>{phone}</span> : null}
      {phone && phone !== hiddenForDemo ? (
        <a href={`tel:${phone}`}>
          <Ltr>{phone}</Ltr>
        </a>
      ) : null}
    </p>
  )
}

/** The code that the sender passes on to the recipient. */
function StopCode({ code, person }: { code: string; person: string }) {
  const { t } = useText()
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(code)
    setCopied(true)
    announce(t('delivery.code_copied'))
  }
  const mayShare = typeof navigator.share === 'function'
  return (
    <div className={classes.code}>
      <p>
        <span>{t('delivery.code')}</span>
        <bdi dir="ltr" aria-hidden>
          {code}
        </bdi>
        <VisuallyHidden>{code.split('').join(' ')}</VisuallyHidden>
      </p>
      <small>
        {copied ? t('delivery.code_copied') : t('delivery.code_hint', { person: isolated(person) })}
      </small>
      <div className={classes.buttons}>
        <Button size="small" onClick={() => void copy().catch(() => {})}>
          <IconCopy size={18} aria-hidden />
          {t('delivery.copy_code')}
        </Button>
        {mayShare ? (
          <Button
            size="small"
            // A closed share sheet is not an error.
            onClick={() =>
              void navigator.share({ text: t('delivery.share_code_text', { code }) }).catch(() => {})
            }
          >
            <IconShare2 size={18} aria-hidden />
            {t('delivery.share_code')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}

/** A small picture that opens large. Nothing once the picture was removed. */
function Proof({ kind, src, label }: { kind: ProofKind; src: string; label: string }) {
  const [open, setOpen] = useState(false)
  const [missing, setMissing] = useState<string | null>(null)
  if (src === missing) return null
  return (
    <>
      <button
        type="button"
        className={classes.proof}
        data-kind={kind}
        aria-label={label}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <img src={src} alt="" width={72} height={72} loading="lazy" onError={() => setMissing(src)} />
      </button>
      {open ? <PictureDialog src={src} label={label} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
