import { serverSpeed } from '../../../lib/clock.ts'
import { useFormat } from '../../../lib/format.ts'
import { useText } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import classes from './login-screen.module.css'

/** The accounts of a demo installation; they exist nowhere else. */
const accounts = [
  { role: 'rider', email: 'rider@demo.test' },
  { role: 'driver', email: 'driver@demo.test' },
  { role: 'fleetadmin', email: 'fleet@demo.test' },
  { role: 'admin', email: 'admin@demo.test' },
] as const
const password = 'demo2026'

/** Fills the form with a demo account on one tap. */
export function DemoAccounts({
  onChoose,
}: {
  onChoose: (account: { email: string; password: string }) => void
}) {
  const { t } = useText()
  const format = useFormat()
  const speed = serverSpeed()
  return (
    <fieldset className={classes.demo}>
      <legend>{t('auth.demo_accounts')}</legend>
      <div className={classes.accounts}>
        {accounts.map(({ role, email }) => (
          <Button key={role} size="small" onClick={() => onChoose({ email, password })}>
            {t(`auth.role_${role}`)}
          </Button>
        ))}
      </div>
      {speed === 1 ? null : (
        <p className={classes.speed}>{t('auth.demo_speed', { speed: format.number(speed, 1) })}</p>
      )}
    </fieldset>
  )
}
