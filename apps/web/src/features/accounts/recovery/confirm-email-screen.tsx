import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { ConfirmLinkCard } from './confirm-link-card.tsx'

/** Where the link to a new e-mail address leads; the address changes only here. */
export function ConfirmEmailScreen() {
  const { t } = useText()
  return (
    <ConfirmLinkCard
      title={t('password.change_email_title')}
      intro={t('password.change_email_intro')}
      action={t('password.change_email_action')}
      done={t('password.change_email_done')}
      onConfirm={(input) => api.accounts.confirmEmailChange(input)}
    />
  )
}
