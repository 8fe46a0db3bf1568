import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** Returns to the draft and on to its confirmation. */
const next = '/?continue=booking'

/** Asks a visitor who presses Book to sign in; the draft is kept. */
export default function SignInDialog({ onClose }: { onClose: () => void }) {
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
