import type { Me } from '@hansom/contract/users'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { useText } from '../../../lib/i18n.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import classes from './profile-screen.module.css'
import { Section } from './section.tsx'

/** Download of the user's data, and account deletion. */
export function AccountSection({ me }: { me: Me }) {
  const { t } = useText()
  const [deleting, setDeleting] = useState(false)
  return (
    <Section title={t('profile.account')} intro={t('profile.account_intro')}>
      <div className={classes.row}>
        <a href="/api/v1/me/data" download className={buttonClass()}>
          <IconDownload size={20} stroke={1.7} aria-hidden />
          {t('profile.download')}
        </a>
        <Button variant="danger" onClick={() => setDeleting(true)}>
          {t('profile.delete')}
        </Button>
      </div>
      {deleting ? <DeleteDialog me={me} onClose={() => setDeleting(false)} /> : null}
    </Section>
  )
}
