import type { BookingView } from '@hansom/contract/bookings'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { UserPicker } from '../../../entities/users/user-picker.tsx'
import { api } from '../../../lib/api.ts'
import { isolated } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { idempotentCall } from '../../../lib/idempotent-call.ts'
import { storeBooking } from '../../../lib/live.ts'
import { Button } from '../../../ui/button.tsx'
import { AlertDialog, Dialog } from '../../../ui/dialog.tsx'
import { ErrorMessage } from '../../../ui/error-message.tsx'
import { Notice } from '../../../ui/notice.tsx'
import classes from './trip-actions.module.css'

/** On the trip page: an admin sends the request to one driver. */
export function AssignDriver({ view }: { view: BookingView }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="primary" size="large" wide onClick={() => setOpen(true)}>
        {t('trip.assign_driver')}
      </Button>
      {open ? <AssignDriverDialog view={view} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Selects a free driver of the booking's car type and sends the request; a request from an admin does not expire. */
export function AssignDriverDialog({ view, onClose }: { view: BookingView; onClose: () => void }) {
  const { t } = useText()
  const [driver, setDriver] = useState<string>()
  const assign = useMutation({
    mutationFn: (input: { id: string; driver: string }) =>
      idempotentCall('assign_driver', input, api.bookings.assign_driver),
    onSuccess: (next) => storeBooking(next),
  })
  if (assign.isSuccess) {
    return (
      <AlertDialog open onClose={onClose}>
        {t('trip.driver_assigned')}
      </AlertDialog>
    )
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('trip.assign_title', { code: isolated(view.booking_id) })}
      footer={
        <Button
          variant="primary"
          wide
          disabled={driver === undefined}
          busy={assign.isPending}
          onClick={() => driver && assign.mutate({ id: view.id, driver })}
        >
          {t('trip.assign')}
        </Button>
      }
    >
      <p className={classes.text}>{t('trip.assign_text', { carType: view.carType })}</p>
      <UserPicker
        label={t('trip.driver')}
        usertype="driver"
        narrowing={{
          car_type_id: view.car_type_id,
          approved: 'true',
          driverActiveStatus: 'true',
          queue: 'false',
          located: 'true',
        }}
        value={driver}
        onChange={setDriver}
      />
      {assign.isError ? (
        <Notice tone="bad">
          <ErrorMessage error={assign.error} />
        </Notice>
      ) : null}
    </Dialog>
  )
}
