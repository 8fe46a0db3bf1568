import type { FareOffer } from '@hansom/contract/bookings'
import type { Caller } from '@hansom/contract/users'
import { maxCars } from '@hansom/domain/bookings/create'
import { writtenFields } from '@hansom/domain/bookings/fields'
import { cashPlaces } from '@hansom/domain/deliveries/delivery'
import { earliestTrip } from '@hansom/domain/dispatch/timing'
import { toCityTime } from '@hansom/domain/time/city-time'
import { serverNow } from '../../../lib/clock.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { ChoiceField } from '../../../ui/select-field.tsx'
import { TextArea, TextField } from '../../../ui/text-field.tsx'
import classes from './add-booking.module.css'
import type { OfficeOptions } from './office-booking.ts'

interface Props {
  value: OfficeOptions
  onChange: (options: OfficeOptions) => void
  /** Null for a new caller, who has no wallet and no sign-in. */
  caller: Caller | null
  /** A rider with an account, who pays by card in the app. */
  hasAccount: boolean
  offer: FareOffer | null
}

/** What the office chooses for the caller: payment, passengers, cars, the way back and a note. */
export function OfficeOptionFields({ value, onChange, caller, hasAccount, offer }: Props) {
  const { t } = useText()
  const format = useFormat()
  const { cardAvailable, timezone, category } = useSettings()
  const isTaxi = category === 'taxi'
  const change = (changes: Partial<OfficeOptions>) => onChange({ ...value, ...changes })
  const trips = value.cars * (value.returnAt ? 2 : 1)
  const mayUseWallet =
    caller !== null && offer !== null && caller.walletBalance >= offer.fare.trip_cost * trips
  const payments = [
    ...(isTaxi
      ? [{ value: 'cash', label: t('booking.pay_cash') }]
      : cashPlaces.map((place) => ({
          value: `cash_${place}`,
          label: t(place === 'pickup' ? 'parcelForm.cash_pickup' : 'parcelForm.cash_drop'),
        }))),
    ...(mayUseWallet || value.payment_mode === 'wallet'
      ? [{ value: 'wallet', label: t('booking.pay_wallet') }]
      : []),
    ...(cardAvailable && hasAccount ? [{ value: 'card', label: t('payments.method_card') }] : []),
  ]
  const numbers = (most: number) =>
    Array.from({ length: most }, (_, index) => ({
      value: String(index + 1),
      label: format.number(index + 1),
    }))
  const noteLength = writtenFields.find(({ field }) => field === 'note')?.max
  return (
    <fieldset className={classes.options}>
      <legend className={classes.legend}>{t('booking.office_options')}</legend>
      <div className={classes.half}>
        <ChoiceField
          label={t('booking.pay_with')}
          choices={payments}
          value={isTaxi || value.payment_mode !== 'cash' ? value.payment_mode : `cash_${value.cash_at}`}
          onChange={({ target }) =>
            change({
              payment_mode: target.value === 'wallet' || target.value === 'card' ? target.value : 'cash',
              cash_at: target.value === 'cash_drop' ? 'drop' : 'pickup',
            })
          }
        />
      </div>
      {isTaxi ? (
        <>
          <div className={classes.half}>
            <ChoiceField
              label={t('bookingTexts.passengers')}
              choices={[
                { value: '', label: t('booking.passengers_any') },
                ...numbers(offer?.carType.seats ?? value.passengers ?? 1),
              ]}
              value={value.passengers === null ? '' : String(value.passengers)}
              onChange={({ target }) => change({ passengers: target.value ? Number(target.value) : null })}
            />
          </div>
          <div className={classes.cars}>
            <ChoiceField
              label={t('booking.cars')}
              choices={numbers(maxCars)}
              value={String(value.cars)}
              onChange={({ target }) => change({ cars: Number(target.value) })}
            />
          </div>
          <div className={classes.returnTrip}>
            <TextField
              type="datetime-local"
              name="returnAt"
              dir="ltr"
              label={t('booking.return_at')}
              min={toCityTime(earliestTrip(serverNow()), timezone)}
              step={300}
              value={value.returnAt}
              onChange={({ target }) => change({ returnAt: target.value })}
            />
          </div>
        </>
      ) : null}
      <div className={classes.note}>
        <TextArea
          label={t('bookingTexts.optional', { field: t('bookingTexts.note') })}
          rows={2}
          maxLength={noteLength}
          dir="auto"
          value={value.note}
          onChange={({ target }) => change({ note: target.value })}
        />
      </div>
    </fieldset>
  )
}
