import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { ConfirmLinkCard } from './confirm-link-card.tsx'

/** Target of the link in a verification email. */
export function VerifyEmailScreen() {
  const { t } = useText()
  return (
    <ConfirmLinkCard
      title={t('password.verify_title')}
      intro={t('password.verify_intro')}
      action={t('password.verify_action')}
      done={t('password.verify_done')}
      onConfirm={(input) => api.accounts.verifyEmail(input)}
    />
  )
}
