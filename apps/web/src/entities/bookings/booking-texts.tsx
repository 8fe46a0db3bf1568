import type { BookingView } from '@hansom/contract/bookings'
import { type WrittenTexts, writtenFields } from '@hansom/domain/bookings/fields'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { TextArea } from '../../ui/text-field.tsx'
import classes from './booking-texts.module.css'

interface Props {
  values: WrittenTexts
  onChange: (values: WrittenTexts) => void
}

/** Inputs for the texts that the creator of a booking may write. */
export function BookingTextFields({ values, onChange }: Props) {
  const { t } = useText()
  return writtenFields.map(({ field, max }) => (
    <TextArea
      key={field}
      label={t('bookingTexts.optional', { field: t(`bookingTexts.${field}`) })}
      rows={2}
      maxLength={max}
      dir="auto"
      value={values[field] ?? ''}
      onChange={({ target }) => onChange({ ...values, [field]: target.value })}
    />
  ))
}

/** The number of passengers and the texts written with a booking, as far as the viewer may see them. */
export function BookingTexts({ view }: { view: BookingView }) {
  const { t } = useText()
  const format = useFormat()
  const given = writtenFields.flatMap(({ field }) => {
    const text = view[field]
    return text ? [{ field, text }] : []
  })
  if (given.length === 0 && view.passengers === null) return null
  const isReceiver = view.viewer === 'driver' || view.viewer === 'requested'
  return (
    <dl className={classes.texts}>
      {view.passengers === null ? null : (
        <div>
          <dt>{t('bookingTexts.passengers')}</dt>
          <dd>{format.number(view.passengers)}</dd>
        </div>
      )}
      {given.map(({ field, text }) => (
        <div key={field}>
          <dt>{t(isReceiver ? `bookingTexts.${field}_received` : `bookingTexts.${field}`)}</dt>
          <dd dir="auto">{text}</dd>
        </div>
      ))}
    </dl>
  )
}
