import type { Me } from '@hansom/contract/users'
import { useText } from '../../../lib/i18n.ts'
import { announce } from '../../../ui/announcer.tsx'
import { ConfirmMobileForm } from '../../../entities/users/confirm-mobile-form.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

interface Props {
  me: Me
  /** Confirms the current number; otherwise the user can enter a new one. */
  own: boolean
  onClose: () => void
}

/** Verifies a mobile number in a dialog. */
export function MobileDialog({ me, own, onClose }: Props) {
  const { t } = useText()
  const done = () => {
    announce(t('profile.profile_updated'))
    onClose()
  }
  return (
    <Dialog open onClose={onClose} title={t('profile.mobile_title')}>
      <ConfirmMobileForm me={me} own={own} onDone={done} />
    </Dialog>
  )
}
