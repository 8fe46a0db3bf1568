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
  /** Somebody wants another number, or to prove the `own` one: a dialog, since it takes a code. */
  onAsk: (own: boolean) => void
}

/** The mobile as it is, and the way to another one. */
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
