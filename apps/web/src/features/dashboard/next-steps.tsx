import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orpc } from '../../lib/api.ts'
import { useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'
import classes from './next-steps.module.css'

/** Setup steps before the first trip; empty once there are car types and drivers. */
export function NextSteps() {
  const { t } = useText()
  const { contact_email } = useSettings()
  const carTypes = useQuery(orpc.carTypes.list.queryOptions())
  const drivers = useQuery(orpc.users.list.queryOptions({ input: { usertype: 'driver', limit: 1 } }))
  if (!carTypes.data || !drivers.data) return null
  const hasCarTypes = carTypes.data.length > 0
  const hasDrivers = drivers.data.items.length > 0
  if (hasCarTypes && hasDrivers) return null
  const steps = [
    { id: 'car_types', to: '/cartypes', done: hasCarTypes },
    { id: 'settings', to: '/appinfo', done: contact_email !== '' },
    { id: 'drivers', to: '/drivers', done: hasDrivers },
    { id: 'booking', to: '/addbookings', done: false },
  ] as const
  const next = steps.find(({ done }) => !done)?.id
  return (
    <section className={classes.steps} aria-labelledby="steps-title">
      <h2 id="steps-title" className={classes.title}>
        {t('dashboard.welcome')}
      </h2>
      <p className={classes.text}>{t('dashboard.welcome_text')}</p>
      <ol className={classes.list}>
        {steps.map(({ id, to, done }, index) => (
          <li key={id}>
            <Link to={to} className={classes.step} data-next={id === next || undefined}>
              <span className={classes.mark} data-done={done || undefined} aria-hidden>
                {done ? <IconCheck size={18} /> : index + 1}
              </span>
              <span className={classes.words}>
                <strong>{t(`dashboard.step_${id}`)}</strong>
                <span>{t(`dashboard.step_${id}_text`)}</span>
              </span>
              {done ? <VisuallyHidden>{t('common.done')}</VisuallyHidden> : null}
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}
