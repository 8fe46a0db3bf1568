import type { BookingView } from '@hansom/contract/bookings'
import { isRefundable } from '@hansom/domain/wallet/refund'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import type { TripDialogs } from './trip-dialogs.ts'

/** The office gives back what was paid for the trip, or a part of it. */
export function RefundTrip({ view, refund }: { view: BookingView; refund: TripDialogs['refund'] }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  if (view.viewer !== 'admin' || !isRefundable(view)) return null
  return (
    <>
      <Button size="large" wide onClick={() => setOpen(true)}>
        {t('trip.refund')}
      </Button>
      {open ? refund(view, () => setOpen(false)) : null}
    </>
  )
}
