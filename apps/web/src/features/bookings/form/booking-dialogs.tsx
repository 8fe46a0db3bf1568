import type { BookingView } from '@hansom/contract/bookings'
import { IconCheck } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import classes from './booking-dialogs.module.css'

interface Props {
  booking: BookingView
  /** Called on Close; opens the bookings by default. */
  onClose?: () => void
}

/** Shows the created booking: its id, a link to the live trip and Close. */
export function SuccessDialog({ booking, onClose }: Props) {
  const { t } = useText()
  const navigate = useNavigate()
  const close = onClose ?? (() => void navigate({ to: '/bookings' }))
  return (
    <Dialog
      open
      onClose={close}
      hideClose
      title={t('booking.success_title')}
      footer={
        <>
          <Button
            variant="primary"
            size="large"
            wide
            onClick={() => void navigate({ to: '/trip/$id', params: { id: booking.id } })}
          >
            {t('booking.follow')}
          </Button>
          <Button variant="quiet" wide onClick={close}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <div className={classes.body}>
        <span className={classes.tick}>
          <IconCheck size={34} stroke={2.4} aria-hidden />
        </span>
        <p className={classes.text}>{t('booking.success_text')}</p>
        <p className={classes.id}>
          <bdi dir="ltr">{booking.booking_id}</bdi>
        </p>
        <p className={classes.hint}>
          {t(booking.bookLater ? 'booking.success_later' : 'booking.success_now')}
        </p>
      </div>
    </Dialog>
  )
}

/** Returns to the draft and on to its confirmation. */
const next = '/?continue=booking'

/** Asks a visitor who presses Book to sign in; the draft is kept. */
export function SignInDialog({ onClose }: { onClose: () => void }) {
  const { t } = useText()
  const navigate = useNavigate()
  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={t('booking.sign_in_title')}
      hideClose
      footer={
        <>
          <Button variant="primary" wide onClick={() => void navigate({ to: '/login', search: { next } })}>
            {t('auth.sign_in')}
          </Button>
          <Button wide onClick={() => void navigate({ to: '/register', search: { next } })}>
            {t('login.register')}
          </Button>
          <Button variant="quiet" wide onClick={onClose}>
            {t('common.close')}
          </Button>
        </>
      }
    >
      <p>{t('error.must_login')}</p>
      <p style={{ color: 'var(--h-ink-2)', fontSize: 'var(--h-t-s)', marginBlockStart: 6 }}>
        {t('booking.draft_kept')}
      </p>
    </Dialog>
  )
}
