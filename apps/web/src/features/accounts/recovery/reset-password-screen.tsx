import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { SetPasswordCard } from './set-password-card.tsx'

/** Target of the link in a password reset email. */
export function ResetPasswordScreen() {
  const { t } = useText()
  return (
    <SetPasswordCard
      title={t('password.reset_title')}
      intro={t('password.reset_intro')}
      action={t('password.reset_action')}
      done={t('password.reset_done')}
      onSet={(input) => api.accounts.resetPassword(input)}
    />
  )
}
