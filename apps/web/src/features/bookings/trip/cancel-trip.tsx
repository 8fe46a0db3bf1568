import { ApiError } from '@hansom/client/api-error'
import type { BookingView, ListedBooking } from '@hansom/contract/bookings'
import { adminReasons, reasonLimits } from '@hansom/domain/cancel-reasons/reasons'
import { translate } from '@hansom/domain/languages/translations'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { AdminReason } from '../../../entities/bookings/admin-reason.tsx'
import { api, orpc } from '../../../lib/api.ts'
import { isolated, useFormat } from '../../../lib/format.ts'
import { type Translate, useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { storeBooking } from '../../../lib/live.ts'
import { Button } from '../../../ui/button.tsx'
import choiceClasses from '../../../ui/choice.module.css'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Money } from '../../../ui/money.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Skeleton } from '../../../ui/page-states.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { paidInAdvance } from './status-text.ts'
import actions from './trip-actions.module.css'
import type { TripDialogs } from './trip-dialogs.ts'

interface Props {
  view: BookingView
  driverCancel: TripDialogs['driverCancel']
}

/** Cancels the trip: reason and fee are shown before the confirmation. */
export function CancelTrip({ view, driverCancel }: Props) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  const dialog = () =>
    view.viewer === 'driver' ? driverCancel(view, close) : <CancelDialog view={view} onClose={close} />
  return (
    <>
      <Button
        variant="quiet"
        wide
        aria-haspopup="dialog"
        className={actions.cancel}
        onClick={() => setOpen(true)}
      >
        {t('trip.cancel')}
      </Button>
      {open ? dialog() : null}
    </>
  )
}

/** Cancels a booking with a reason and its fee; an unpaid booking needs neither. */
export function CancelDialog({ view, onClose }: { view: ListedBooking; onClose: () => void }) {
  return view.status === 'PAYMENT_PENDING' ? (
    <CancelIncomplete view={view} onClose={onClose} />
  ) : (
    <CancelWithReason view={view} onClose={onClose} />
  )
}

function CancelWithReason({ view, onClose }: { view: ListedBooking; onClose: () => void }) {
  const { t, language } = useText()
  const format = useFormat()
  const [reason, setReason] = useState<string | null>(null)
  const isAdmin = view.viewer === 'admin'
  const reasons = useQuery({ ...orpc.cancelReasons.list.queryOptions(), enabled: !isAdmin })
  const price = useQuery({
    ...orpc.bookings.cancellation.queryOptions({ input: { id: view.id } }),
    staleTime: 0,
    // The fee grows with time. The fee that was shown is sent along; the server refuses a higher one.
    refetchInterval: 15_000,
  })
  const cancel = useMutation({
    mutationFn: (input: { id: string; reason: string; fee?: number }) =>
      idempotentCall('cancel', input, api.bookings.cancel),
    onSuccess: (next) => {
      storeBooking(next)
      onClose()
    },
    onError: () => void price.refetch(),
  })
  const fee = view.viewer === 'driver' ? undefined : price.data?.fee
  // Without a list of reasons, any text is accepted.
  const isFree = hasNone(reasons.error) || reasons.data?.length === 0
  const failed = cancel.error ?? price.error ?? (isFree ? null : reasons.error)
  return (
    <Dialog
      open
      onClose={onClose}
      title={cancelTitle(view, t)}
      footer={
        <>
          <Button
            variant="danger"
            wide
            disabled={!reason?.trim() || !price.data}
            busy={cancel.isPending}
            onClick={() =>
              reason && cancel.mutate({ id: view.id, reason, ...(fee === undefined ? {} : { fee }) })
            }
          >
            {fee
              ? t(isAdmin ? 'trip.cancel_charge' : 'trip.cancel_pay', { amount: isolated(format.money(fee)) })
              : t('trip.cancel_confirm')}
          </Button>
          <Button wide onClick={onClose}>
            {t('trip.cancel_keep')}
          </Button>
        </>
      }
    >
      <CancellationPrice price={price.data} view={view} />
      {isAdmin ? (
        <AdminReason label={t('trip.cancel_reason')} reasons={adminReasons} onChange={setReason} />
      ) : isFree ? (
        <TextField
          label={t('trip.cancel_reason_free')}
          maxLength={reasonLimits.label}
          value={reason ?? ''}
          onChange={(event) => setReason(event.target.value)}
        />
      ) : (
        <fieldset className={actions.reasons}>
          <legend>{t('trip.cancel_reason')}</legend>
          {reasons.data?.map((listed) => (
            <label key={listed.label} className={choiceClasses.choice}>
              <input
                type="radio"
                name="reason"
                checked={reason === listed.label}
                onChange={() => setReason(listed.label)}
              />
              <span dir="auto">{translate(listed, 'label', language.langLocale)}</span>
            </label>
          ))}
        </fieldset>
      )}
      {failed ? (
        <p className={actions.problem} role="alert">
          <ErrorMessage error={failed} />
        </p>
      ) : null}
    </Dialog>
  )
}

/** Admins cancel for someone else: the title names them. */
function cancelTitle({ viewer, booking_id, customer_name }: ListedBooking, t: Translate): string {
  const code = isolated(booking_id)
  return viewer === 'admin' && customer_name
    ? t('trip.cancel_title_of', { code, rider: isolated(customer_name) })
    : t('trip.cancel_title', { code })
}

const hasNone = (error: unknown) => error instanceof ApiError && error.key === 'no_cancel_reason'

/** Time to undo, ms. */
const waitMs = 1_500
const reason = 'cancelled incomplete booking'

/** Cancels an unpaid booking after a short delay in which it can be undone. */
function CancelIncomplete({ view, onClose }: { view: ListedBooking; onClose: () => void }) {
  const { t } = useText()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: { id: string; reason: string }) =>
      idempotentCall('cancel', input, api.bookings.cancel),
    onSuccess: (next) => {
      storeBooking(next)
      onClose()
    },
  })
  const { id } = view
  useEffect(() => {
    const timer = setTimeout(() => mutate({ id, reason }), waitMs)
    return () => clearTimeout(timer)
  }, [id, mutate])
  return (
    <Dialog
      open
      onClose={onClose}
      title={cancelTitle(view, t)}
      footer={
        <Button wide disabled={isPending} onClick={onClose}>
          {t('trip.cancel_keep')}
        </Button>
      }
    >
      <output>{t('trip.cancel_incomplete')}</output>
      {error ? (
        <Notice tone="bad">
          <ErrorMessage error={error} />
        </Notice>
      ) : null}
    </Dialog>
  )
}

interface Price {
  fee: number
  free: boolean
  why: 'free' | 'slab' | 'driver_late' | 'not_accepted'
  next: { fee: number; from: number } | null
}

interface PropsCancellationPrice {
  price: Price | undefined
  view: ListedBooking
}

/** The current cancellation fee and its reason. */
function CancellationPrice({ price, view }: PropsCancellationPrice) {
  const { t } = useText()
  const format = useFormat()
  if (!price) return <Skeleton height="64px" />
  const back = view.viewer === 'rider' && view.prepaid ? paidInAdvance(view) - price.fee : 0
  const isCharged = view.viewer === 'rider' && !view.prepaid && price.fee > 0
  return (
    <p className={actions.price} data-free={price.free || undefined} aria-live="polite">
      <strong>{price.free ? t('trip.cancel_free') : <Money amount={price.fee} />}</strong>
      <span>
        {t(
          view.status === 'ARRIVED' && price.why === 'slab'
            ? 'trip.cancel_why_waits'
            : `trip.cancel_why_${price.why}`,
        )}
      </span>
      {price.next ? (
        <span>
          {t(price.free ? 'trip.cancel_free_until' : 'trip.cancel_rises', {
            time: isolated(format.clock(price.next.from)),
            amount: isolated(format.money(price.next.fee)),
          })}
        </span>
      ) : null}
      {isCharged ? <span>{t('trip.cancel_from_wallet')}</span> : null}
      {back > 0 ? <span>{t('trip.cancel_back', { amount: isolated(format.money(back)) })}</span> : null}
    </p>
  )
}
