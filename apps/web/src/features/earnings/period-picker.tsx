import { periodAfter, periodBefore } from '@hansom/domain/earnings/period'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import type { EarningsAddress } from './earnings-address.ts'
import classes from './earnings.module.css'
import { usePeriodWords } from './use-period-words.ts'

interface Props {
  address: EarningsAddress
  today: string
  onChange: (next: Pick<EarningsAddress, 'by' | 'from'>) => void
}

/** Which period it is, with the one before and the one after. */
export function PeriodPicker({ address, today, onChange }: Props) {
  const { t } = useText()
  const words = usePeriodWords()
  const { by, from, isCurrent } = address
  const step = (to: string) => onChange({ by, from: to })
  return (
    <div className={classes.picker}>
      <Button
        size="icon"
        aria-label={t(`earnings.before_${by}`)}
        onClick={() => step(periodBefore(by, from).from)}
      >
        <IconChevronLeft className={classes.arrow} size={20} aria-hidden />
      </Button>
      <p className={classes.period} aria-live="polite">
        <span>{isCurrent ? t(`earnings.current_${by}`) : <bdi>{words.title(by, address)}</bdi>}</span>
        {isCurrent ? <bdi className={classes.quiet}>{words.title(by, address)}</bdi> : null}
      </p>
      <Button
        size="icon"
        aria-label={t(`earnings.after_${by}`)}
        disabled={isCurrent}
        onClick={() => step(periodAfter(by, from).from)}
      >
        <IconChevronRight className={classes.arrow} size={20} aria-hidden />
      </Button>
      {isCurrent ? null : (
        <Button variant="quiet" className={classes.back} onClick={() => step(today)}>
          {t(`earnings.current_${by}`)}
        </Button>
      )}
    </div>
  )
}
