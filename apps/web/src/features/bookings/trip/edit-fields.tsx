import type { BookingChangeInput, ListedBooking } from '@hansom/contract/bookings'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { writtenFields } from '@hansom/domain/bookings/fields'
import type { ChangeableField } from '@hansom/domain/bookings/transitions'
import { laterTimeRefusal } from '@hansom/domain/dispatch/timing'
import { fromCityTime, toCityTime } from '@hansom/domain/time/city-time'
import { useQuery } from '@tanstack/react-query'
import { useCarTypeChoices } from '../../../entities/car-types/car-type-name.tsx'
import { PlaceField } from '../../../entities/places/place-field.tsx'
import { orpc } from '../../../lib/api.ts'
import { serverNow } from '../../../lib/clock.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { ChoiceField } from '../../../ui/select-field.tsx'
import { TextArea } from '../../../ui/text-field.tsx'
import { ToggleGroup } from '../../../ui/toggle-group.tsx'
import { WhenField } from '../form/booking-form.tsx'
import classes from './edit-booking.module.css'

/** What the dialog has in its fields. */
export interface Edited {
  pickup: PlacePoint | null
  drop: PlacePoint | null
  carType: string
  later: boolean
  /** In the city's time zone. */
  at: string
  passengers: number | null
  note: string
}

/** The booking's values, as the fields show them. */
export function editedOf(view: ListedBooking, timezone: string): Edited {
  return {
    pickup: view.pickup,
    drop: view.drop,
    carType: view.car_type_id,
    later: view.bookLater,
    at: timeOf(view, timezone),
    passengers: view.passengers,
    note: view.note ?? '',
  }
}

interface Props {
  view: ListedBooking
  fields: readonly ChangeableField[]
  edited: Edited
  onChange: (edited: Edited) => void
}

const noteLength = writtenFields.find(({ field }) => field === 'note')?.max

/** The fields of the dialog. */
export function EditFields({ view, fields, edited, onChange }: Props) {
  const { t } = useText()
  const { region, timezone } = useSettings()
  const format = useFormat()
  const carTypes = useCarTypeChoices()
  const { data: rows } = useQuery(orpc.carTypes.list.queryOptions())
  const seats = rows?.find(({ id }) => id === edited.carType)?.seats ?? 1
  const set = (part: Partial<Edited>) => onChange({ ...edited, ...part })
  const places = (['pickup', 'drop'] as const).filter((which) => fields.includes(which))
  // An archived type can be kept, but not chosen.
  const known = carTypes.some(({ value }) => value === view.car_type_id)
  const types = [...(known ? [] : [{ value: view.car_type_id, label: view.carType }]), ...carTypes]
  return (
    <div className={classes.fields}>
      <div className={classes.places}>
        {places.map((which) => (
          <PlaceField
            key={which}
            which={which}
            point={edited[which]}
            near={edited.pickup ?? region.center}
            locating={false}
            onChange={(point) => set({ [which]: point })}
            onType={() => set({ [which]: null })}
            onChosen={() => undefined}
          />
        ))}
      </div>
      {fields.includes('car_type') ? (
        <ChoiceField
          label={t('history.carType')}
          value={edited.carType}
          choices={types}
          onChange={(event) => set({ carType: event.target.value })}
        />
      ) : null}
      {fields.includes('time') && view.viewer === 'admin' ? (
        <ToggleGroup
          label={t('booking.when')}
          options={[
            { value: 'now', label: t('history.bookNow') },
            { value: 'later', label: t('history.bookLater') },
          ]}
          value={edited.later ? 'later' : 'now'}
          onChange={(value) => set({ later: value === 'later' })}
        />
      ) : null}
      {fields.includes('time') && edited.later ? (
        <WhenField
          value={edited.at}
          kept={timeOf(view, timezone)}
          focused={false}
          onChange={(at) => set({ at })}
        />
      ) : null}
      {fields.includes('passengers') ? (
        <ChoiceField
          label={t('bookingTexts.passengers')}
          value={edited.passengers === null ? '' : String(edited.passengers)}
          choices={[
            { value: '', label: t('booking.passengers_any') },
            ...Array.from({ length: Math.max(seats, view.passengers ?? 0) }, (_, index) => ({
              value: String(index + 1),
              label: format.number(index + 1),
            })),
          ]}
          onChange={({ target }) => set({ passengers: target.value ? Number(target.value) : null })}
        />
      ) : null}
      {fields.includes('note') ? (
        <TextArea
          label={t('bookingTexts.optional', { field: t('bookingTexts.note') })}
          rows={2}
          maxLength={noteLength}
          dir="auto"
          value={edited.note}
          onChange={({ target }) => set({ note: target.value })}
        />
      ) : null}
    </div>
  )
}

/** The input of the command: only what differs. Null while a place or a valid time is missing. */
export function changesOf(view: ListedBooking, edited: Edited, timezone: string): BookingChangeInput | null {
  const { pickup, drop, carType, later, at, passengers, note } = edited
  if (!pickup || !drop) return null
  // Compared as shown: the field has no seconds.
  const isMoved = later && at !== timeOf(view, timezone)
  const tripdate = isMoved && at ? fromCityTime(at, timezone) : undefined
  if (isMoved && (tripdate === undefined || laterTimeRefusal(tripdate, serverNow()))) return null
  return {
    id: view.id,
    ...(isSame(pickup, view.pickup) ? {} : { pickup: pointOf(pickup) }),
    ...(isSame(drop, view.drop) ? {} : { drop: pointOf(drop) }),
    ...(carType === view.car_type_id ? {} : { car_type_id: carType }),
    ...(later === view.bookLater ? {} : { bookLater: later }),
    ...(isMoved ? { tripdate } : {}),
    ...(passengers === view.passengers ? {} : { passengers }),
    ...(note.trim() === (view.note ?? '') ? {} : { note: note.trim() }),
  }
}

/** A later trip's time in the city; empty for an immediate one. */
const timeOf = ({ bookLater, tripdate }: ListedBooking, timezone: string): string =>
  bookLater ? toCityTime(tripdate, timezone) : ''

const isSame = (a: PlacePoint, b: PlacePoint) => a.lat === b.lat && a.lng === b.lng && a.add === b.add
const pointOf = ({ lat, lng, add }: PlacePoint): PlacePoint => ({ lat, lng, add })
