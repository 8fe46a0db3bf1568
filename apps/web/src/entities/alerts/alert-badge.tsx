import { maxAlertCount } from '@hansom/domain/alerts/alerts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import classes from './alert-badge.module.css'

/** The highest number that is shown as it is. */
const most = maxAlertCount - 1

/** A number of open matters, for the eye only: `useToDoName` names the link or button that it belongs to. */
export function AlertBadge({ count }: { count: number }) {
  return (
    <span className={classes.badge} aria-hidden>
      {useShortCount()(count)}
    </span>
  )
}

function useShortCount(): (count: number) => string {
  const { t } = useText()
  const format = useFormat()
  return (count) => (count > most ? t('alert.over', { most }) : format.number(count))
}

/** Accessible names with the number as the badge shows it, such as "Drivers, 3 to do". */
export function useToDoName(): (name: string, count: number) => string {
  const { t } = useText()
  const short = useShortCount()
  return (name, count) => (count === 0 ? name : t('alert.named', { name, number: short(count) }))
}
