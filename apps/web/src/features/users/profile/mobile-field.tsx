import type { Me } from '@hansom/contract/users'
import { useText } from '../../../lib/i18n.ts'
import { useSettings } from '../../../lib/settings.ts'
import { Button } from '../../../ui/button.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { ContactHint } from './contact-hint.tsx'
import classes from './profile-screen.module.css'

interface Props {
  me: Me
  changeable: boolean
  /** Called to confirm the `own` number or to enter a new one, which needs a dialog for the code. */
  onAsk: (own: boolean) => void
}

/** The current mobile, with buttons to change or confirm it. */
export function MobileField({ me, changeable, onAsk }: Props) {
  const { t } = useText()
  const { MobileLoginEnabled } = useSettings()
  const isUnproven = MobileLoginEnabled && me.mobile !== null && me.mobile_verified_at === null
  return (
    <div className={classes.mobile}>
      <TextField
        label={t('auth.mobile')}
        dir="ltr"
        value={me.mobile ?? ''}
        placeholder={'\u2013'}
        readOnly
        disabled={!changeable}
        hint={changeable ? t('profile.mobile_hint') : <ContactHint />}
      />
      {isUnproven ? (
        <Button size="small" onClick={() => onAsk(true)}>
          {t('profile.mobile_confirm')}
        </Button>
      ) : null}
      {changeable ? (
        <Button size="small" onClick={() => onAsk(false)}>
          {me.mobile ? t('profile.mobile_change') : t('profile.mobile_add')}
        </Button>
      ) : null}
    </div>
  )
}
