import { api } from '../../../lib/api.ts'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { SetPasswordCard } from './set-password-card.tsx'

/** Target of the invitation link for users created by an admin. */
export function InvitationScreen() {
  const { t } = useText()
  const { appName } = useSettings()
  return (
    <SetPasswordCard
      title={t('password.invitation_title', { appName })}
      intro={t('password.invitation_intro')}
      action={t('password.invitation_action')}
      done={t('password.invitation_done')}
      onSet={(input) => api.accounts.acceptInvitation(input)}
    />
  )
}
