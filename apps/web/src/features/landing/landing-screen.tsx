import { useText } from '../../lib/i18n.ts'
import { useMe } from '../../lib/session.ts'
import classes from './landing-screen.module.css'

/** The landing page: booking for visitors, riders and admins, the slogan alone for everyone else. */
export function LandingScreen() {
  const { t } = useText()
  useMe()
  return <h1 className={classes.slogan}>{t('landing.slogan')}</h1>
}
