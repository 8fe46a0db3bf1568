import { ApiError } from '@hansom/client/api-error'
import type { BookingChangeInput, BookingView } from '@hansom/contract/bookings'
import type { PlacePoint } from '@hansom/domain/bookings/booking'
import { type ChangeableField, changeableFields } from '@hansom/domain/bookings/transitions'
import { laterTimeRefusal } from '@hansom/domain/dispatch/timing'
import { fromCityTime, toCityTime } from '@hansom/domain/time/city-time'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCarTypeChoices } from '../../../entities/car-types/car-type-name.tsx'
import { api, orpc } from '../../../lib/api.ts'
import { serverNow } from '../../../lib/clock.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { storeBooking } from '../../../lib/live.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Money } from '../../../ui/money.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/page-states.tsx'
import { ChoiceField } from '../../../ui/select-field.tsx'
import { ToggleGroup } from '../../../ui/toggle-group.tsx'
import { WhenField } from '../form/booking-form.tsx'
import { PlaceField } from '../form/place-field.tsx'
import classes from './edit-booking.module.css'

/** Buttons on the trip page: an admin edits the booking, the rider changes the destination or the time. */
export function EditBooking({ view }: { view: BookingView }) {
  const { t } = useText()
  const [open, setOpen] = useState<readonly ChangeableField[] | null>(null)
  if (!view.commands.includes('change')) return null
  const fields = editableFields(view)
  return (
    <>
      {view.viewer === 'admin' ? (
        <Button size="large" wide onClick={() => setOpen(fields)}>
          {t('trip.edit')}
        </Button>
      ) : (
        fields.map((field) => (
          <Button key={field} size="large" wide onClick={() => setOpen([field])}>
            {t(`trip.edit_${field}`)}
          </Button>
        ))
      )}
      {open ? <EditBookingDialog view={view} fields={open} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

/** The fields that the viewer may change now. */
export function editableFields(view: BookingView): ChangeableField[] {
  return view.viewer === 'requested' ? [] : changeableFields(view, view.viewer)
}

interface Edited {
  pickup: PlacePoint | null
  drop: PlacePoint | null
  carType: string
  later: boolean
  /** In the city's time zone. */
  at: string
}

interface Props {
  view: BookingView
  fields: readonly ChangeableField[]
  onClose: () => void
}

/** Changes a booking; the new fare is shown before it is confirmed. */
export function EditBookingDialog({ view, fields, onClose }: Props) {
  const { t } = useText()
  const { timezone } = useSettings()
  const [edited, setEdited] = useState<Edited>({
    pickup: view.pickup,
    drop: view.drop,
    carType: view.car_type_id,
    later: view.bookLater,
    at: timeOf(view, timezone),
  })
  const input = changesOf(view, edited, timezone)
  const isChanged = input !== null && Object.keys(input).length > 1
  const quote = useQuery({
    ...orpc.bookings.quoteChange.queryOptions({ input: input ?? { id: view.id } }),
    enabled: isChanged,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 0,
  })
  const change = useMutation({
    mutationFn: (given: BookingChangeInput & { estimate: number }) =>
      idempotentCall('change', given, api.bookings.change),
    onSuccess: (next) => {
      storeBooking(next)
      onClose()
    },
    onError: () => void quote.refetch(),
  })
  const isReady = isChanged && quote.isSuccess && !quote.isPlaceholderData && !quote.isFetching
  const only = fields.length === 1 ? fields[0] : undefined
  const code = isolated(view.booking_id)
  return (
    <Dialog
      open
      onClose={onClose}
      title={only ? t(`trip.edit_${only}`) : t('trip.edit_title', { code })}
      footer={
        <>
          <Button
            variant="primary"
            wide
            disabled={!isReady}
            busy={change.isPending}
            onClick={() => input && quote.data && change.mutate({ ...input, estimate: quote.data.trip_cost })}
          >
            {t('trip.edit_confirm')}
          </Button>
          <Button wide onClick={onClose}>
            {t('trip.edit_keep')}
          </Button>
        </>
      }
    >
      <EditFields view={view} fields={fields} edited={edited} onChange={setEdited} />
      <div aria-live="polite">
        {isChanged ? (
          quote.data ? (
            <FareComparison view={view} quote={quote.data} isStale={!isReady} />
          ) : quote.isError ? null : (
            <Skeleton height="72px" />
          )
        ) : null}
      </div>
      <EditProblem error={change.error ?? (isChanged ? quote.error : null)} />
    </Dialog>
  )
}

function EditProblem({ error }: { error: unknown }) {
  const { t } = useText()
  if (!error) return null
  const isFareNews = error instanceof ApiError && error.key === 'fare_changed'
  return (
    <Notice tone={isFareNews ? 'attention' : 'bad'}>
      {isFareNews ? t('trip.edit_fare_changed') : <ErrorMessage error={error} />}
    </Notice>
  )
}

interface FieldsProps extends Omit<Props, 'onClose'> {
  edited: Edited
  onChange: (edited: Edited) => void
}

function EditFields({ view, fields, edited, onChange }: FieldsProps) {
  const { t } = useText()
  const { region } = useSettings()
  const carTypes = useCarTypeChoices()
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
        <WhenField value={edited.at} focused={false} onChange={(at) => set({ at })} />
      ) : null}
    </div>
  )
}

/** The fare before and after, and what happens next. */
function FareComparison({
  view,
  quote,
  isStale,
}: {
  view: BookingView
  quote: BookingView
  isStale: boolean
}) {
  const { t } = useText()
  const format = useFormat()
  const before = view.trip_cost - view.discount_amount
  const after = quote.trip_cost - quote.discount_amount
  const asksAgain = view.status === 'NEW' && Object.keys(view.requestedDrivers ?? {}).length > 0
  return (
    <section className={classes.fares} aria-label={t('trip.edit_fare')} data-stale={isStale || undefined}>
      <p>
        <span>{t('trip.edit_fare')}</span>
        {before === after ? null : (
          <s>
            <Money amount={before} />
          </s>
        )}
        <strong>
          <Money amount={after} />
        </strong>
      </p>
      <small>
        {t('trip.distance_and_time', {
          distance: format.distance(quote.estimateDistance),
          time: format.duration(quote.estimateTime),
        })}
      </small>
      {before === after ? <small>{t('trip.edit_same_fare')}</small> : null}
      {view.promo_applied && !quote.promo_applied ? <small>{t('trip.edit_promo_lost')}</small> : null}
      {view.prepaid && before !== after ? <small>{t('trip.edit_prepaid')}</small> : null}
      {view.status === 'STARTED' ? <small>{t('trip.edit_estimate')}</small> : null}
      {asksAgain ? <small>{t('trip.edit_asks_again')}</small> : null}
      {view.driver === null ? null : <small>{t('trip.edit_driver_told')}</small>}
    </section>
  )
}

/** The input of the command: only what differs. Null while a place or a valid time is missing. */
export function changesOf(view: BookingView, edited: Edited, timezone: string): BookingChangeInput | null {
  const { pickup, drop, carType, later, at } = edited
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
  }
}

/** A later trip's time in the city; empty for an immediate one. */
const timeOf = ({ bookLater, tripdate }: BookingView, timezone: string): string =>
  bookLater ? toCityTime(tripdate, timezone) : ''

const isSame = (a: PlacePoint, b: PlacePoint) => a.lat === b.lat && a.lng === b.lng && a.add === b.add
const pointOf = ({ lat, lng, add }: PlacePoint): PlacePoint => ({ lat, lng, add })
