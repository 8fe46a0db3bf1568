import type { DeliveryQuote, SavedRecipient } from '@hansom/contract/deliveries'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { deliveryLimits } from '@hansom/domain/deliveries/delivery'
import { useState } from 'react'
import type { DropDraft, ParcelDraft } from '../../../entities/bookings/booking-draft.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { latinDigits } from '../../../ui/latin-digits.ts'
import { Money } from '../../../ui/money.tsx'
import { TextArea, TextField } from '../../../ui/text-field.tsx'
import classes from './drop-details.module.css'
import { type DropField, draftDrops } from './parcel-draft.ts'
import { RecipientField } from './recipient-field.tsx'

/** Messages by drop and field, such as `0.deliveryPerson`. */
export type DropProblems = Readonly<Record<string, string | undefined>>

const recipientFields = ['deliveryPerson', 'deliveryPersonPhone', 'deliveryEmail'] as const

interface Props {
  pickup: PlacePoint
  drop: PlacePoint
  parcel: ParcelDraft
  /** Null while it is loading. */
  quote: DeliveryQuote | null
  problems: DropProblems
  /** `drop` is the first drop's new place. */
  onChange: (parcel: ParcelDraft, drop?: PlacePoint) => void
  /** Called with the key of the changed field in `problems`. */
  onTyped: (field: string) => void
}

/** The stops of a delivery with their recipients, planned arrivals and parts of the price, in the sender's order. */
export function DropDetails({ pickup, drop, parcel, quote, problems, onChange, onTyped }: Props) {
  const { t } = useText()
  const format = useFormat()
  const drops = draftDrops({ drop, parcel })
  const isLate = quote?.stops.some(({ lateS }) => lateS > 0) ?? false
  const set = (index: number, field: DropField, value: string) => {
    onTyped(`${index}.${field}`)
    onChange({
      ...parcel,
      drops: parcel.drops.map((one, at) => (at === index ? { ...one, [field]: value } : one)),
    })
  }
  const choose = (index: number, { person, phone, email, instructions, place }: SavedRecipient) => {
    for (const field of recipientFields) onTyped(`${index}.${field}`)
    const chosen = {
      deliveryPerson: person,
      deliveryPersonPhone: phone,
      deliveryEmail: email ?? '',
      deliveryInstructions: instructions ?? '',
      ...(index > 0 && { point: place }),
    }
    const drops = parcel.drops.map((one, at) => (at === index ? { ...one, ...chosen } : one))
    onChange({ ...parcel, drops }, index === 0 ? place : undefined)
  }
  return (
    <>
      <ol className={classes.stops}>
        <li data-kind="pickup">
          <p className={classes.place}>
            <small>{t('map.pickup')}</small>
            <bdi>{pickup.add}</bdi>
          </p>
          <TextArea
            label={t('bookingTexts.optional', { field: t('parcelForm.pickup_instructions') })}
            name="pickUpInstructions"
            rows={2}
            dir="auto"
            maxLength={deliveryLimits.instructions}
            value={parcel.pickUpInstructions}
            onChange={({ target }) => onChange({ ...parcel, pickUpInstructions: target.value })}
          />
        </li>
        {drops.map((one, index) => (
          <Drop
            key={one.key}
            value={one}
            index={index}
            isOnly={drops.length === 1}
            planned={planOf(quote, index)}
            problems={problems}
            onChange={(field, value) => set(index, field, value)}
            onChoose={(recipient) => choose(index, recipient)}
          />
        ))}
      </ol>
      {isLate && parcel.order === 'given' && drops.length > 1 ? (
        <div className={classes.late}>
          <output>{t('parcelForm.late_order')}</output>
          <Button size="small" onClick={() => onChange({ ...parcel, order: 'best' })}>
            {t('parcelForm.use_best_order')}
          </Button>
        </div>
      ) : null}
      {quote ? (
        <p className={classes.hint}>
          {t('delivery.return_price', { amount: isolated(format.money(quote.return_leg.cost)) })}
        </p>
      ) : null}
    </>
  )
}

interface Planned {
  /** Counted from 1. */
  turn: number
  planned_at: number
  lateS: number
  share: number
}

function planOf(quote: DeliveryQuote | null, index: number): Planned | null {
  const turn = quote?.stops.findIndex(({ position }) => position === index) ?? -1
  const stop = quote?.stops[turn]
  return stop ? { ...stop, turn: turn + 1 } : null
}

interface DropProps {
  value: DropDraft
  index: number
  isOnly: boolean
  planned: Planned | null
  problems: DropProblems
  onChange: (field: DropField, value: string) => void
  onChoose: (recipient: SavedRecipient) => void
}

/** One drop: its place and plan, who gets the parcel, and more on demand. */
function Drop({ value, index, isOnly, planned, problems, onChange, onChoose }: DropProps) {
  const { t } = useText()
  const format = useFormat()
  const field = (name: DropField) => ({
    name: `${name}-${index}`,
    value: value[name],
    error: problems[`${index}.${name}`],
    onChange: ({ target }: { target: { value: string } }) => onChange(name, target.value),
  })
  const window = problems[`${index}.window`]
  // Optional fields that hold something, or have an error, are in sight.
  const [isOpen, setOpen] = useState(Boolean(value.deliveryEmail || value.from || value.to))
  const isWrong = Boolean(window || problems[`${index}.deliveryEmail`])
  return (
    <li data-kind="drop">
      <span className={classes.turn} aria-hidden>
        {isOnly ? null : format.number(planned?.turn ?? index + 1)}
      </span>
      <p className={classes.place}>
        <small>
          {isOnly ? t('map.drop') : t('delivery.stop', { number: planned?.turn ?? index + 1 })}
          {planned
            ? ` · ${t('parcelForm.arrives', { time: isolated(format.clock(planned.planned_at)) })}`
            : ''}
          {planned && !isOnly ? (
            <>
              {' · '}
              <Money amount={planned.share} />
            </>
          ) : null}
        </small>
        <bdi>{value.point?.add}</bdi>
      </p>
      <div className={classes.pair}>
        <RecipientField
          name={`deliveryPerson-${index}`}
          value={value.deliveryPerson}
          error={problems[`${index}.deliveryPerson`]}
          onType={(person) => onChange('deliveryPerson', person)}
          onChoose={onChoose}
        />
        <TextField
          {...field('deliveryPersonPhone')}
          label={t('delivery.phone')}
          type="tel"
          inputMode="tel"
          dir="ltr"
          autoComplete="off"
          maxLength={deliveryLimits.phone}
          required
          onChange={({ target }) => onChange('deliveryPersonPhone', latinDigits(target.value))}
        />
      </div>
      <TextArea
        {...field('deliveryInstructions')}
        label={t('bookingTexts.optional', { field: t('delivery.instructions') })}
        rows={2}
        dir="auto"
        maxLength={deliveryLimits.instructions}
      />
      <details
        className={classes.extra}
        open={isOpen || isWrong}
        onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      >
        <summary>{t('parcelForm.more_fields')}</summary>
        <TextField
          {...field('deliveryEmail')}
          label={t('delivery.email')}
          hint={t('delivery.email_hint')}
          type="email"
          dir="ltr"
          autoComplete="off"
          maxLength={deliveryLimits.email}
        />
        <div className={classes.pair}>
          <TextField {...field('from')} label={t('parcelForm.window_from')} type="time" dir="ltr" />
          <TextField
            {...field('to')}
            label={t('parcelForm.window_to')}
            type="time"
            dir="ltr"
            error={window}
          />
        </div>
      </details>
      {planned && planned.lateS > 0 ? (
        <output className={classes.late}>
          {t('parcelForm.late', { time: isolated(format.duration(planned.lateS)) })}
        </output>
      ) : null}
    </li>
  )
}
