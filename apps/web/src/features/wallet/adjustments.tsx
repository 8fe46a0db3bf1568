import { useInfiniteQuery } from '@tanstack/react-query'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { queryClient } from '../../lib/query-client.ts'
import { ReversibleList } from './reversible-list.tsx'
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
  const query = useInfiniteQuery(
    orpc.wallet.adjustments.infiniteOptions({
      input: (cursor: string | undefined) => (cursor === undefined ? {} : { cursor }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  return (
    <section className={classes.section} aria-labelledby="adjustments">
      <h2 id="adjustments" className={classes.heading}>
        {t('wallet.adjustments')}
      </h2>
      <ReversibleList
        query={query}
        entries={query.data?.pages.flatMap((page) => page.items)}
        none={t('wallet.adjustments_none')}
        details={({ reason, at, by_name }) => (
          <>
            <span className={classes.when}>
              <bdi>{reason}</bdi>
            </span>
            <span className={classes.when}>
              <bdi>{format.dateTime(at)}</bdi> · {t('wallet.adjustment_by', { name: isolated(by_name) })}
            </span>
          </>
        )}
        reasonOf={(item) => item.reversal_reason}
        isClosed={isClosed}
        dialog={({ id, amount, name }) => ({
          title: t('wallet.adjustment_reverse_title'),
          text: t(amount > 0 ? 'wallet.adjustment_reverse_credit' : 'wallet.adjustment_reverse_debit', {
            amount: isolated(format.money(Math.abs(amount))),
            name: isolated(name),
          }),
          command: `wallet.reverse_adjustment ${id}`,
          save: (reason, options) => api.wallet.reverseAdjustment({ id, reason }, options),
        })}
        onReversed={reloadAdjustments}
      />
    </section>
  )
}
