import { useEffect, useRef, useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { readUnsent } from './leave.ts'
import type { LeaveQuestion } from './leave-question.ts'
import classes from './unsent-dialog.module.css'

/** How often the dialog looks what is left, ms: the connection may return while it is open. */
const lookMs = 1_000

/** Asks whether the user signs out although this device has not sent everything. */
export function UnsentDialog({ question: { uid, isRefused: look, answer } }: { question: LeaveQuestion }) {
  const { t } = useText()
  const stay = useRef<HTMLButtonElement>(null)
  const [{ unsent, isRefused }, setState] = useState(() => ({ unsent: readUnsent(uid), isRefused: look() }))
  useEffect(() => {
    const timer = setInterval(() => setState({ unsent: readUnsent(uid), isRefused: look() }), lookMs)
    return () => clearInterval(timer)
  }, [uid, look])
  const isSent = unsent === null && !isRefused
  return (
    <Dialog
      open
      onClose={() => answer(false)}
      initialFocus={stay}
      role="alertdialog"
      title={t(isSent ? 'unsent.sent' : 'unsent.title')}
      hideClose
      footer={
        <DialogButtons>
          <Button variant={isSent ? 'secondary' : 'danger'} onClick={() => answer(true)}>
            {t(isSent ? 'common.sign_out' : 'unsent.leave')}
          </Button>
          <Button ref={stay} variant="primary" onClick={() => answer(false)}>
            {t('unsent.stay')}
          </Button>
        </DialogButtons>
      }
    >
      {isRefused ? <p>{t('unsent.refused')}</p> : null}
      {isSent ? <p>{t('unsent.sent_text')}</p> : null}
      {unsent === null ? null : (
        <>
          <p>{t('unsent.text')}</p>
          <ul className={classes.list}>
            {unsent.hasAlarm ? <li>{t('unsent.alarm')}</li> : null}
            {unsent.trips.map(({ id, steps, photos }) => (
              <li key={id}>
                <TripCode id={id} />
                <span>{t('unsent.steps', { count: steps })}</span>
                {photos > 0 ? <span>{t('unsent.photos', { count: photos })}</span> : null}
              </li>
            ))}
            {unsent.positions > 0 ? <li>{t('unsent.positions', { count: unsent.positions })}</li> : null}
            {unsent.messages > 0 ? <li>{t('unsent.messages', { count: unsent.messages })}</li> : null}
          </ul>
          <p className={classes.hint}>{t('unsent.hint')}</p>
        </>
      )}
    </Dialog>
  )
}

/** Names the trip by its code, if the device knows it. */
function TripCode({ id }: { id: string }) {
  const { t } = useText()
  const booking = queryClient.getQueryData(orpc.bookings.get.queryKey({ input: { id } }))
  if (booking === undefined) return null
  return (
    <strong className={classes.trip}>{t('common.offline_trip', { booking_id: booking.booking_id })}</strong>
  )
}
