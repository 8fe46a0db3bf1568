import type { LedgerCheckView } from '@hansom/contract/wallet'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import classes from './wallet.module.css'

/** What the last replay of the whole ledger found, and the wish to have it replayed now. */
export function LedgerCheck() {
  const { t } = useText()
  const client = useQueryClient()
  const { data } = useQuery(orpc.ledger.lastCheck.queryOptions())
  const check = useMutation({
    ...orpc.ledger.check.mutationOptions(),
    onSuccess: (found) => client.setQueryData(orpc.ledger.lastCheck.queryKey(), { check: found }),
  })
  return (
    <div className={classes.check}>
      <div role="status">{data ? <Told check={data.check} /> : null}</div>
      <Button variant="quiet" size="small" busy={check.isPending} onClick={() => check.mutate({})}>
        {t('wallet.check_now')}
      </Button>
      {check.isError ? <ErrorMessage error={check.error} /> : null}
    </div>
  )
}

function Told({ check }: { check: LedgerCheckView | null }) {
  const { t } = useText()
  const format = useFormat()
  if (check === null) return <p className={classes.intro}>{t('wallet.check_never')}</p>
  const at = format.dateTime(check.at)
  const words = { at, entries: format.number(check.entries), found: format.number(check.found) }
  if (check.right) return <p className={classes.balanced}>{t('wallet.check_right', words)}</p>
  return (
    <details className={classes.unbalanced}>
      <summary>{t('wallet.check_wrong', words)}</summary>
      <ul className={classes.differences}>
        {check.differences.map(({ comparison, subject, kept, replayed }) => (
          <li key={`${comparison} ${subject} ${kept} ${replayed}`}>
            {t(`wallet.check_${comparison}` as string)} <Ltr>{subject}</Ltr>{' '}
            {comparison === 'entry'
              ? null
              : t('wallet.check_differs', { kept: format.money(kept), replayed: format.money(replayed) })}
          </li>
        ))}
      </ul>
    </details>
  )
}
