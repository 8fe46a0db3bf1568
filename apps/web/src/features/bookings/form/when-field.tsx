import { bookLaterLimitMs, laterTimeRefusal } from '@hansom/domain/dispatch/timing'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { serverNow } from '../../../lib/clock.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { earliestTrip, fromCityTime, toCityTime } from './city-time.ts'

interface Props {
  value: string
  /** The user has just asked for it, so it takes the focus. */
  focused: boolean
  onChange: (value: string) => void
}

/** The time of a Book Later trip on the city's clock, with its time zone. */
export function WhenField({ value, focused, onChange }: Props) {
  const { t } = useText()
  const { timezone, region } = useSettings()
  const earliest = toCityTime(earliestTrip(serverNow()), timezone)
  const refusal = value ? laterTimeRefusal(fromCityTime(value, timezone), serverNow()) : null
  return (
    <TextField
      type="datetime-local"
      name="tripdate"
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
      autoFocus={focused}
      dir="ltr"
      label={t('booking.when')}
      hint={t('booking.when_hint', { city: region.name || timezone, zone: timezone.replaceAll('_', ' ') })}
      min={earliest}
      max={toCityTime(serverNow() + bookLaterLimitMs, timezone)}
      step={300}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      error={refusal && t(`error.${refusal}`)}
    />
  )
}
