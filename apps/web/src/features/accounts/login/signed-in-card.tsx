import type { Me } from '@hansom/contract/users'
import { useText } from '../../../lib/i18n.ts'
import { signOut } from '../../../lib/session.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { errorText } from '../../../ui/error-message.tsx'
import { FocusFirst } from '../../../ui/focus-first.tsx'
import { FormCard } from '../../../ui/form-card.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { useGoHome } from '../../../entities/accounts/use-go-home.ts'
import { useReturnUrl } from '../../../entities/accounts/use-return-url.ts'
import { useAfterSignIn } from '../../../entities/accounts/use-after-sign-in.ts'

/**
 * Shown to users who are already signed in: the account after a social sign-in, or a notice that the requested page is
 * not available to this account.
 */
export function SignedInCard({ me, fresh, onLeave }: { me: Me; fresh: boolean; onLeave: () => void }) {
  const { t } = useText()
  const enter = useAfterSignIn()
  const goHome = useGoHome()
  const askedFor = useReturnUrl()
  const leave = async () => {
    try {
      await signOut()
      onLeave()
    } catch (error) {
      announce(errorText(error, t))
    }
  }
  const byMobile = !me.email && me.mobile
  return (
    <FormCard title={fresh ? t('auth.sign_in') : t('login.signed_in')}>
      {fresh ? <Notice tone="good">{t('login.login_success')}</Notice> : null}
      {!fresh && askedFor ? <Notice tone="plain">{t('login.other_account')}</Notice> : null}
      <TextField
        label={byMobile ? t('auth.mobile') : t('auth.email')}
        dir="ltr"
        value={byMobile ? (me.mobile ?? '') : me.email}
        readOnly
        disabled
      />
      <FocusFirst>
        <Button variant="primary" size="large" wide onClick={() => void (fresh ? enter(me) : goHome(me))}>
          {t('login.continue')}
        </Button>
      </FocusFirst>
      <Button variant="quiet" wide onClick={() => void leave()}>
        {t('login.other')}
      </Button>
    </FormCard>
  )
}
