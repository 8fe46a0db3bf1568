import type { AdminCancelReason } from '@hansom/contract/cancel-reasons'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useText } from '../../lib/i18n.ts'
import classes from './cancel-reasons.module.css'

interface Props {
  reason: AdminCancelReason
  count: number
  onMove: (reason: AdminCancelReason, by: number) => void
}

/** A step up and a step down. Keys reach the same by Alt and an arrow, so neither is a stop of the Tab key. */
export function MoveButtons({ reason, count, onMove }: Props) {
  const { t } = useText()
  const step = (by: -1 | 1, disabled: boolean) => (
    <button
      type="button"
      tabIndex={-1}
      className={classes.step}
      disabled={disabled}
      aria-label={t(by < 0 ? 'cancelReasons.up_of' : 'cancelReasons.down_of', { name: reason.label })}
      onClick={() => onMove(reason, by)}
    >
      {by < 0 ? <IconArrowUp size={18} aria-hidden /> : <IconArrowDown size={18} aria-hidden />}
    </button>
  )
  return (
    <span className={classes.steps}>
      {step(-1, reason.value === 0)}
      {step(1, reason.value >= count - 1)}
    </span>
  )
}
