import type { BookingView } from '@hansom/contract/bookings'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../../lib/api.ts'
import { storeBooking } from '../../../lib/booking-cache.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'

/** How long somebody can still turn back. */
const waitMs = 1_500
const reason = 'cancelled incomplete booking'

/** A booking that was never paid for is given up by itself, a moment after it was asked for. */
export function CancelIncomplete({ view, onClose }: { view: BookingView; onClose: () => void }) {
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
      title={t('trip.cancel_title', { code: isolated(view.booking_id) })}
      footer={
        <Button wide disabled={isPending} onClick={onClose}>
          {t('trip.cancel_keep')}
        </Button>
      }
    >
      <p role="status">{t('trip.cancel_incomplete')}</p>
      {error ? (
        <Notice tone="bad">
          <ErrorMessage error={error} />
        </Notice>
      ) : null}
    </Dialog>
  )
}
