import { useId } from 'react'
import { useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import type { DueLine } from './due.ts'
import classes from './payment-dialog.module.css'

/** What is due with every part; the last line is what is left. Told anew when it changes. */
export function DueLines({ lines }: { lines: readonly DueLine[] }) {
  const { t } = useText()
  const id = useId()
  return (
    <section aria-labelledby={id} aria-live="polite">
      <h3 id={id} className={classes.hiddenHeading}>
        {t('payments.what_is_due')}
      </h3>
      <dl className={classes.lines}>
        {lines.map(({ key, amount, params }, index) => (
          <div key={key} className={index === lines.length - 1 ? classes.left : undefined}>
            <dt>{t(key, params)}</dt>
            <dd>
              <Money amount={amount} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
