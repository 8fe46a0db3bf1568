import { IconMessageCircle } from '@tabler/icons-react'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './unread-messages.module.css'

/** How many messages of a booking the user has not read, in a list of bookings; nothing for none. */
export function UnreadMessages({ count }: { count: number | undefined }) {
  const { t } = useText()
  const format = useFormat()
  if (!count) return null
  return (
    <span className={classes.badge}>
      <IconMessageCircle size={14} stroke={2} aria-hidden />
      <span aria-hidden>{count > 9 ? `${format.number(9)}+` : format.number(count)}</span>
      <VisuallyHidden>{t('chatButton.unread', { count })}</VisuallyHidden>
    </span>
  )
}
