import { type ComponentProps, useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useLive } from '../../lib/live.ts'
import { Button } from '../../ui/button.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import ConfirmDialog from './confirm-dialog.tsx'
import { hasTripUnderWay } from './open-trip-words.ts'

/** The confirmation of one's own trip. A second car at once is asked about first: it may be a mistake. */
export default function ConfirmOwnTrip(props: ComponentProps<typeof ConfirmDialog>) {
  const { t } = useText()
  const bookings = useLive('bookings').data ?? []
  // Decided at the start: the booking made here is under way too, and asks nothing.
  const [asks, setAsks] = useState(props.trip.tripdate === null && hasTripUnderWay(bookings))
  if (!asks) return <ConfirmDialog {...props} />
  return (
    <Dialog
      open
      onClose={props.onClose}
      role="alertdialog"
      title={t('booking.second_title')}
      hideClose
      footer={
        <DialogButtons onCancel={props.onClose}>
          <Button variant="primary" onClick={() => setAsks(false)}>
            {t('booking.second_go_on')}
          </Button>
        </DialogButtons>
      }
    >
      <p>{t('booking.second_text')}</p>
    </Dialog>
  )
}
