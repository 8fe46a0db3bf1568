import type { Me } from '@hansom/contract/users'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmMobileForm } from '../../../entities/users/confirm-mobile-form.tsx'
import { FormCard } from '../../../ui/form-card.tsx'

/** Offered after sign-up if phone sign-in is enabled: confirms the number with a code. */
export function ConfirmNumber({ me, onDone }: { me: Me; onDone: () => void }) {
  const { t } = useText()
  return (
    <FormCard title={t('register.number_title')} intro={t('register.number_intro')}>
      <ConfirmMobileForm me={me} own onDone={onDone} />
      <Button variant="quiet" wide onClick={onDone}>
        {t('register.number_later')}
      </Button>
    </FormCard>
  )
}
