import type { Me } from '@hansom/contract/users'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { ContactHint } from './contact-hint.tsx'
import { MobileDialog } from './mobile-dialog.tsx'
import classes from './profile-screen.module.css'

/** The mobile. It changes in a dialog, since the new number has to prove itself by a code. */
export function MobileField({ me, changeable }: { me: Me; changeable: boolean }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
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
        <Button size="small" onClick={() => setOpen(true)}>
          {me.mobile ? t('profile.mobile_change') : t('profile.mobile_add')}
        </Button>
      ) : null}
      {open ? <MobileDialog me={me} onClose={() => setOpen(false)} /> : null}
    </div>
  )
}
