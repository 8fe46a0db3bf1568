import type { LedgerSums as Sums } from '@hansom/contract/wallet'
import { accountGroups } from '@hansom/domain/wallet/account-groups'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { orpc } from '../../lib/api.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { Money } from '../../ui/money.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { providerName } from './entry-dialog.tsx'
import classes from './wallet.module.css'

const refreshMs = 15_000

/** Account balances, which add up to zero: of all entries, or those of a user or a booking. */
export function LedgerSums({ user, booking }: { user: string | undefined; booking: string | undefined }) {
  const { t } = useText()
  const query = useQuery({
    ...orpc.ledger.sums.queryOptions({ input: { ...(user && { user }), ...(booking && { booking }) } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const title = user ? 'wallet.sums_person' : booking ? 'wallet.sums_booking' : 'wallet.sums_all'
  return (
    <section aria-labelledby="ledger-sums">
      <h2 id="ledger-sums" className={classes.sumsTitle}>
        {t(title)}
      </h2>
      {query.isPending ? <LoadingState rows={1} height="58px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data ? <SumLines sums={query.data} of={user} t={t} /> : null}
    </section>
  )
}

function SumLines({ sums, of, t }: { sums: Sums; of: string | undefined; t: Translate }) {
  const accounts = [...sums.accounts].sort(
    (a, b) => accountGroups.indexOf(a.group) - accountGroups.indexOf(b.group) || (a.of ? -1 : 1),
  )
  const nameOf = ({ group, of: whose }: Sums['accounts'][number]) => {
    if (group === 'provider') return providerName(whose, t)
    if (group !== 'user' || of === undefined) return t(`wallet.account_${group}`)
    return t(whose === of ? 'wallet.this_person' : 'wallet.account_user_others')
  }
  return (
    <>
      <dl className={classes.sumLines}>
        {accounts.map((account) => (
          <div key={`${account.group} ${account.of}`}>
            <dt>
              <bdi>{nameOf(account)}</bdi>
            </dt>
            <dd>
              <Money amount={account.sum} />
            </dd>
          </div>
        ))}
        <div className={classes.total}>
          <dt>{t('wallet.sums_total')}</dt>
          <dd data-total={sums.total}>
            <Money amount={sums.total} />
          </dd>
        </div>
      </dl>
      <p className={sums.total === 0 ? classes.balanced : classes.unbalanced} role="status">
        {t(sums.total === 0 ? 'wallet.sums_zero' : 'wallet.sums_wrong')}
      </p>
    </>
  )
}
