import { ApiError } from '@hansom/client/api-error'
import type { BookingChangeInput, ListedBooking } from '@hansom/contract/bookings'
import { toBePaid } from '@hansom/domain/bookings/amounts'
import { type ChangeableField, changeableFields } from '@hansom/domain/bookings/transitions'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, orpc } from '../../../lib/api.ts'
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
import classes from './edit-booking.module.css'
import { changesOf, EditFields, editedOf } from './edit-fields.tsx'
import { choosePayment, PaymentChoice } from './payment-choice.tsx'

/** Buttons on the trip page: an admin edits the booking, the rider changes the destination or the time. */
export function EditBooking({ view }: { view: ListedBooking }) {
  const { t } = useText()
  const [open, setOpen] = useState<readonly ChangeableField[] | null>(null)
  if (!view.commands.includes('change')) return null
  const fields = editableFields(view)
  return (
    <>
      {view.viewer === 'admin' ? (
        <Button size="large" wide aria-haspopup="dialog" onClick={() => setOpen(fields)}>
          {t('trip.edit')}
        </Button>
      ) : (
        fields.map((field) => (
          <Button key={field} size="large" wide aria-haspopup="dialog" onClick={() => setOpen([field])}>
            {t(`trip.edit_${field}`)}
          </Button>
        ))
      )}
      {open ? <EditBookingDialog view={view} fields={open} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

/** The fields that the viewer may change now. */
export function editableFields(view: ListedBooking): ChangeableField[] {
  return view.viewer === 'requested' ? [] : changeableFields(view, view.viewer, view.delivery !== null)
}

interface Props {
  view: ListedBooking
  fields: readonly ChangeableField[]
  onClose: () => void
}

/** Changes a booking; the new fare is shown before it is confirmed. */
export function EditBookingDialog({ view, fields, onClose }: Props) {
  const { t } = useText()
  const { timezone } = useSettings()
  const [edited, setEdited] = useState(() => editedOf(view, timezone))
  const current = useCurrent(view)
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
  const [mode, setMode] = useState(view.payment_mode)
  const mayChoose =
    view.viewer === 'admin' && current.commands.includes('choose_payment') && !toBePaid(current)
  const isOtherPayment = mayChoose && mode !== current.payment_mode
  // The payment method first: whether the wallet covers the new fare depends on it.
  const pay = useMutation({
    mutationFn: () => choosePayment({ id: view.id, payment_mode: mode }),
    onSuccess: (next) => {
      storeBooking(next)
      if (!isChanged) onClose()
      else if (quote.data && !quote.isError) change.mutate({ ...input, estimate: quote.data.trip_cost })
    },
  })
  useEffect(() => {
    if (isChanged && current !== view) void quote.refetch()
  }, [current.payment_mode, current.promo_name])
  const isQuoted = isChanged && quote.isSuccess && !quote.isPlaceholderData && !quote.isFetching
  // A quote that the old payment method refuses is asked for again with the new one.
  const isReady = isOtherPayment ? !isChanged || isQuoted || quote.isError : isQuoted
  const save = () => {
    if (isOtherPayment) pay.mutate()
    else if (input && quote.data) change.mutate({ ...input, estimate: quote.data.trip_cost })
  }
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
            busy={change.isPending || pay.isPending}
            onClick={save}
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
            <FareComparison view={view} quote={quote.data} isStale={!isQuoted} />
          ) : quote.isError ? null : (
            <Skeleton height="72px" />
          )
        ) : null}
      </div>
      {mayChoose ? (
        <div className={classes.payment}>
          <PaymentChoice
            view={current}
            draft={{ mode, onChange: setMode }}
            amount={isChanged && quote.data ? quote.data.trip_cost - quote.data.discount_amount : undefined}
          />
          <small>{t('trip.edit_payment')}</small>
        </div>
      ) : null}
      <EditProblem error={change.error ?? pay.error ?? (isChanged ? quote.error : null)} />
    </Dialog>
  )
}

/** The booking after commands given in the dialog: the caller's copy may be as old as the dialog. */
function useCurrent(view: ListedBooking): ListedBooking {
  const { data } = useQuery({
    ...orpc.bookings.get.queryOptions({ input: { id: view.id } }),
    enabled: false,
  })
  return data && data.version >= view.version ? data : view
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

/** The fare before and after, and what happens next. */
function FareComparison({
  view,
  quote,
  isStale,
}: {
  view: ListedBooking
  quote: ListedBooking
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
