import type { Me } from '@hansom/contract/users'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ContactHint } from './contact-hint.tsx'
import classes from './profile-screen.module.css'

interface Props {
  me: Me
  changeable: boolean
  /** Somebody wants another number: a dialog, since it has to prove itself by a code. */
  onAsk: () => void
}

/** The mobile as it is, and the way to another one. */
export function MobileField({ me, changeable, onAsk }: Props) {
  const { t } = useText()
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
      {changeable ? (
        <Button size="small" onClick={onAsk}>
          {me.mobile ? t('profile.mobile_change') : t('profile.mobile_add')}
        </Button>
      ) : null}
    </div>
  )
}
