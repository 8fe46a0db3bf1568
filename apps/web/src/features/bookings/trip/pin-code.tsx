import { useText } from '../../../lib/i18n.ts'
import { VisuallyHidden } from '../../../ui/visually-hidden.tsx'
import classes from './pin-code.module.css'

/** The code that the rider tells the driver, so that both know they are in the right car. */
export function PinCode({ code }: { code: string }) {
  const { t } = useText()
  return (
    <section className={classes.pin} aria-label={t('trip.pin')}>
      <span className={classes.pinLabel}>{t('trip.pin')}</span>
      <bdi dir="ltr" className={classes.pinDigits} aria-hidden="true">
        {code}
      </bdi>
      <VisuallyHidden>{code.split('').join(' ')}</VisuallyHidden>
    </section>
  )
}
