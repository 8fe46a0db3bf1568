import type { Me } from '@hansom/contract/users'
import { Link, useNavigate } from '@tanstack/react-router'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { signOut } from '../../lib/session.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { errorText } from '../../ui/error-message.tsx'
import type { Screen } from '../screens.ts'
import { LanguageSelect, ThemeSwitch } from './preferences.tsx'
import classes from './user-menu.module.css'

/** The person's menu: who is signed in, the pages, language, appearance, and signing out. */
export function UserMenu({ me, entries }: { me: Me; entries: readonly Screen[] }) {
  const { t } = useText()
  const navigate = useNavigate()
  const [open, setOpen] = useState(false)
  const [leaving, setLeaving] = useState(false)

  const leave = async () => {
    setLeaving(true)
    try {
      await signOut()
      await navigate({ to: '/' })
    } catch (error) {
      announce(errorText(error, t))
    } finally {
      setLeaving(false)
    }
  }

  return (
    <>
      <Button
        variant="quiet"
        size="icon"
        aria-label={t('common.my_account')}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <IconUser size={22} stroke={1.7} aria-hidden />
      </Button>
      <Drawer open={open} onClose={() => setOpen(false)} label={t('common.my_account')} width={300}>
        <div className={classes.body}>
          <div>
            <p className={classes.name}>
              <bdi>
                {me.firstName} {me.lastName}
              </bdi>
            </p>
            <p className={classes.email}>
              <bdi dir="ltr">{me.email}</bdi>
            </p>
          </div>
          <nav className={classes.links} aria-label={t('common.main_menu')}>
            {entries.map(({ path, menu }) => (
              <Link key={path} to={path} className={classes.link} onClick={() => setOpen(false)}>
                {t(menu ?? '')}
              </Link>
            ))}
          </nav>
          <div className={classes.preferences}>
            <LanguageSelect />
            <ThemeSwitch />
          </div>
          <Button wide busy={leaving} onClick={() => void leave()}>
            <IconLogout size={20} stroke={1.7} className={classes.mirrored} aria-hidden />
            {t('common.sign_out')}
          </Button>
        </div>
      </Drawer>
    </>
  )
}
