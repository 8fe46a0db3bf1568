import { hasTripUnderWay } from '@hansom/domain/bookings/status'
import { useText } from '../../lib/i18n.ts'
import { useConnection, useLive } from '../../lib/live.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'

/** Asks for confirmation before booking a second trip at the same time, which may be a mistake. */
export function SecondTripDialog({
  onClose,
  onContinue: onGoOn,
}: {
  onClose: () => void
  onContinue: () => void
}) {
  const { t } = useText()
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={t('trip.second_title')}
      hideClose
      footer={
        <DialogButtons onCancel={onClose}>
          <Button variant="primary" onClick={onGoOn}>
            {t('trip.second_go_on')}
          </Button>
        </DialogButtons>
      }
    >
      <p>{t('trip.second_text')}</p>
    </Dialog>
  )
}

/**
 * Whether the user has a trip under way; undefined while loading. If the connection is lost or the topic refused,
 * false, so that nothing waits for it.
 */
export function useTripUnderWay(): boolean | undefined {
  const { data, error } = useLive('bookings')
  const isGood = useConnection() === 'good'
  if (data === undefined && error === null && isGood) return undefined
  return hasTripUnderWay(data ?? [])
}
