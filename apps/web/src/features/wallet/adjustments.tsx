import type { WalletAdjustment } from '@hansom/contract/wallet'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { ReverseDialog } from './reverse-dialog.tsx'
import classes from './wallet.module.css'

export function reloadAdjustments(): void {
  for (const key of [orpc.wallet.adjustments.key(), orpc.users.key(), orpc.ledger.key()]) {
    void queryClient.invalidateQueries({ queryKey: key })
  }
}

/** Credits and debits by admins, newest first, each of which can be reversed once. */
export function Adjustments({ isClosed }: { isClosed: boolean }) {
  const { t } = useText()
  const format = useFormat()
  const [reversing, setReversing] = useState<WalletAdjustment | null>(null)
  const query = useInfiniteQuery(
    orpc.wallet.adjustments.infiniteOptions({
      input: (cursor: string | undefined) => (cursor === undefined ? {} : { cursor }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <section className={classes.section} aria-labelledby="adjustments">
      <h2 id="adjustments" className={classes.heading}>
        {t('wallet.adjustments')}
      </h2>
      {query.isPending ? <LoadingState rows={2} height="56px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data && items.length === 0 ? (
        <p className={classes.intro}>{t('wallet.adjustments_none')}</p>
      ) : null}
      {items.length > 0 ? (
        <ul className={classes.list}>
          {items.map((item) => (
            <li key={item.id} className={classes.item}>
              <div className={classes.words}>
                <span className={classes.what}>
                  <bdi>{item.name}</bdi>
                </span>
                <span className={classes.when}>
                  <bdi>{item.reason}</bdi>
                </span>
                <span className={classes.when}>
                  <bdi>{format.dateTime(item.at)}</bdi> ·{' '}
                  {t('wallet.adjustment_by', { name: isolated(item.by_name) })}
                </span>
                {item.reversed_at === null ? null : (
                  <span className={classes.when}>
                    {t('wallet.cash_reversed', { reason: isolated(item.reversal_reason ?? '') })}
                  </span>
                )}
              </div>
              <div className={classes.figures}>
                <Money amount={item.amount} />
                {item.reversed_at === null ? (
                  <Button className={classes.process} disabled={isClosed} onClick={() => setReversing(item)}>
                    {t('wallet.cash_reverse')}
                  </Button>
                ) : null}
              </div>
            </li>
          ))}
        </ul>
      ) : null}
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('wallet.more')}
        </Button>
      ) : null}
      {reversing ? (
        <ReverseDialog
          title={t('wallet.adjustment_reverse_title')}
          text={t(
            reversing.amount > 0 ? 'wallet.adjustment_reverse_credit' : 'wallet.adjustment_reverse_debit',
            {
              amount: isolated(format.money(Math.abs(reversing.amount))),
              name: isolated(reversing.name),
            },
          )}
          command={`wallet.reverse_adjustment ${reversing.id}`}
          save={(reason, options) => api.wallet.reverseAdjustment({ id: reversing.id, reason }, options)}
          onClose={() => setReversing(null)}
          onReversed={reloadAdjustments}
        />
      ) : null}
    </section>
  )
}
