import type { PushNotification } from '@hansom/domain/push-notifications/push-notification'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import classes from './push-notifications.module.css'

/** A notification about as a phone shows it. */
export function Preview({ title, body }: Pick<PushNotification, 'title' | 'body'>) {
  const { t } = useText()
  const { appName } = useSettings()
  return (
    <div className={classes.phone} role="group" aria-label={t('pushNotifications.preview')}>
      <span className={classes.app}>{appName}</span>
      <span className={classes.message} dir="auto">
        {title || t('pushNotifications.field_title')}
      </span>
      <span className={classes.text} dir="auto">
        {body || t('pushNotifications.field_body')}
      </span>
    </div>
  )
}
