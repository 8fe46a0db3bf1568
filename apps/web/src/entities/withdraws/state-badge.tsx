import { withdrawState } from '@hansom/domain/wallet/withdraw'
import { useText } from '../../lib/i18n.ts'
import classes from './state-badge.module.css'

/** What became of a withdraw request, in a word. */
export function StateBadge(request: { processed: boolean; refused: boolean }) {
  const { t } = useText()
  const state = withdrawState(request)
  return <span className={`${classes.badge} ${classes[state]}`}>{t(`wallet.state_${state}`)}</span>
}
