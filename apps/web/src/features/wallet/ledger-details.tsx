import type { LedgerEntry, LedgerSums as Sums } from '@hansom/contract/wallet'
import { accountGroups } from '@hansom/domain/wallet/account-groups'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import ledger from './ledger.module.css'
import classes from './wallet.module.css'

/** One ledger entry with all its legs. */
export function EntryDialog({ entry, onClose }: { entry: LedgerEntry; onClose: () => void }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <Dialog
      open
      onClose={onClose}
      width={600}
      title={t(`wallet.kind_${entry.kind}`)}
      footer={
        entry.booking ? (
          <Link to="/trip/$id" params={{ id: entry.booking }} className={buttonClass()}>
            {t('wallet.trip_link')}
          </Link>
        ) : undefined
      }
    >
      <p className={classes.lead}>
        <Ltr>{format.dateTime(entry.at)}</Ltr>
        {' · '}
        <bdi>{entry.by_name ?? t('wallet.by_platform')}</bdi>
        {entry.booking_id ? (
          <>
            {' · '}
            <Ltr>{entry.booking_id}</Ltr>
          </>
        ) : null}
      </p>
      {entry.note ? (
        <p className={classes.lead} dir="auto">
          {entry.note}
        </p>
      ) : null}
      <table className={ledger.entry}>
        <thead>
          <tr>
            <th scope="col">{t('wallet.account')}</th>
            <th scope="col">{t('wallet.amount')}</th>
            <th scope="col">{t('wallet.balance_after')}</th>
          </tr>
        </thead>
        <tbody>
          {entry.legs.map((leg, at) => (
            <tr key={at}>
              <th scope="row">
                {leg.group === 'user' && leg.of ? (
                  <Link to="/ledger" search={{ user: leg.of }} onClick={onClose}>
                    <bdi>{accountName(leg, t)}</bdi>
                  </Link>
                ) : (
                  <bdi>{accountName(leg, t)}</bdi>
                )}
              </th>
              <td>
                <Money amount={leg.amount} />
              </td>
              <td>{leg.balance === null ? null : <Money amount={leg.balance} />}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('wallet.entry_zero')}</th>
            <td>
              <Money amount={entry.legs.reduce((sum, { amount }) => sum + amount, 0)} />
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </Dialog>
  )
}

type Leg = LedgerEntry['legs'][number]

/** Name of a leg's account: a user's name, a booking's code, or the account's own name. */
export function accountName({ group, name, of }: Pick<Leg, 'group' | 'name' | 'of'>, t: Translate): string {
  if (group === 'user') return name ?? t('wallet.account_user')
  if (group === 'trip') return name === null ? t('wallet.account_trip') : `${t('wallet.booking')} ${name}`
  if (group === 'provider') return providerName(of, t)
  return t(`wallet.account_${group}`)
}

/** Name of a payment provider; without an id, of all of them. */
export function providerName(id: string | null, t: Translate): string {
  return id === null ? t('wallet.account_provider') : t(`payments.provider_${id}` as string)
}

/** The amount an entry moves: the sum of its positive legs. */
export function largest({ legs }: LedgerEntry): number {
  return legs.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
}

const refreshMs = 15_000

/** Account balances, which add up to zero: of all entries, or those of a user or a booking. */
export function LedgerSums({ user, booking }: { user: string | undefined; booking: string | undefined }) {
  const { t } = useText()
  const query = useQuery({
    ...orpc.ledger.sums.queryOptions({ input: { ...(user && { user }), ...(booking && { booking }) } }),
    placeholderData: keepPreviousData,
    refetchInterval: refreshMs,
  })
  const title = user ? 'wallet.sums_user' : booking ? 'wallet.sums_booking' : 'wallet.sums_all'
  return (
    <section aria-labelledby="ledger-sums">
      <h2 id="ledger-sums" className={ledger.sumsTitle}>
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
    return t(whose === of ? 'wallet.this_user' : 'wallet.account_user_others')
  }
  return (
    <>
      <dl className={ledger.sumLines}>
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
        <div className={ledger.total}>
          <dt>{t('wallet.sums_total')}</dt>
          <dd data-total={sums.total}>
            <Money amount={sums.total} />
          </dd>
        </div>
      </dl>
      <output className={sums.total === 0 ? ledger.balanced : ledger.unbalanced}>
        {t(sums.total === 0 ? 'wallet.sums_zero' : 'wallet.sums_wrong')}
      </output>
    </>
  )
}
