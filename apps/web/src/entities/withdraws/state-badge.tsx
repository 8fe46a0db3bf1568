import { withdrawState } from '@hansom/domain/wallet/withdraw'
import { useText } from '../../lib/i18n.ts'
import classes from './state-badge.module.css'

/** The state of a withdrawal request. */
export function StateBadge(request: { processed: boolean; refused: boolean }) {
  const { t } = useText()
  const state = withdrawState(request)
  return <span className={`${classes.badge} ${classes[state]}`}>{t(`wallet.state_${state}`)}</span>
}
