import type { Me } from '@hansom/contract/users'
import { IconLogout, IconUser } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import type { MenuEntry } from '../menu.ts'
import { menuIcons } from './menu-icons.ts'
import { LanguageSelect, ThemeSwitch } from './preferences.tsx'
import { useSignOut } from './use-sign-out.ts'
import classes from './user-menu.module.css'

/** The account menu: user, pages, language, appearance and sign-out. */
export function UserMenu({ me, entries }: { me: Me; entries: readonly MenuEntry[] }) {
  const { t } = useText()
  const { category } = useSettings()
  const [open, setOpen] = useState(false)
  const { leave, leaving } = useSignOut()

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
            {entries.map(({ path, label, icon }) => {
              const Icon = menuIcons[category][icon]
              return (
                <Link key={path} to={path} className={classes.link} onClick={() => setOpen(false)}>
                  <Icon size={22} stroke={1.6} aria-hidden />
                  {t(label)}
                </Link>
              )
            })}
          </nav>
          <p className={classes.about}>
            <Link to="/about-us" onClick={() => setOpen(false)}>
              {t('common.about')}
            </Link>
            <Link to="/privacy-policy" onClick={() => setOpen(false)}>
              {t('common.privacy')}
            </Link>
          </p>
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
