import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { ConfirmLinkCard } from './confirm-link-card.tsx'

/** Target of the link to a new email address; the address changes only on confirmation. */
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
