import { api } from '../../../lib/api.ts'
import { ApiError } from '../../../lib/api-error.ts'
import { useText } from '../../../lib/i18n.ts'
import { storePhoneProof, storedPhoneProof } from '../../../entities/users/phone-proof.ts'
import { switchSession } from '../../../lib/session.ts'
import { ConfirmLinkCard } from './confirm-link-card.tsx'

/**
 * Target of the link that completes a first sign-in by phone. Works only in the browser where the code was entered, and
 * signs in.
 */
export function ConfirmMobileScreen() {
  const { t } = useText()
  return (
    <ConfirmLinkCard
      title={t('password.mobile_title')}
      intro={t('password.mobile_intro')}
      action={t('auth.sign_in')}
      done={t('login.login_success')}
      onConfirm={async ({ token: link }) => {
        const proof = storedPhoneProof()
        if (proof === null) throw new ApiError('link_other_browser', 0)
        await api.accounts.provePhone({ proof, link })
        storePhoneProof(null)
        await switchSession()
      }}
    />
  )
}
