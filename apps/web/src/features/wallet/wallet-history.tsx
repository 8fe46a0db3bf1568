import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type api, orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { Money } from '../../ui/money.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../ui/page-states.tsx'
import classes from './wallet.module.css'

type Entry = Awaited<ReturnType<typeof api.users.wallet>>['items'][number]

const uuid = /^[0-9a-f]{8}-/

/** The user's wallet transactions, newest first. */
export function WalletHistory() {
  const { t } = useText()
  const query = useInfiniteQuery(
    orpc.users.wallet.infiniteOptions({
      input: (cursor: string | undefined) => (cursor === undefined ? {} : { cursor }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
  )
  const entries = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <section className={classes.section} aria-labelledby="wallet-history">
      <h2 id="wallet-history" className={classes.heading}>
        {t('wallet.history')}
      </h2>
      {query.isPending ? <LoadingState rows={5} height="56px" /> : null}
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : null}
      {query.data && entries.length === 0 ? (
        <EmptyState title={t('wallet.history_none')}>{t('wallet.history_none_text')}</EmptyState>
      ) : null}
      {entries.length > 0 ? (
        <ul className={classes.list}>
          {entries.map((entry) => (
            <Line key={entry.id} entry={entry} />
          ))}
        </ul>
      ) : null}
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('wallet.more')}
        </Button>
      ) : null}
    </section>
  )
}

function Line({ entry }: { entry: Entry }) {
  const { t } = useText()
  const format = useFormat()
  const { kind, type, amount, date, txRef } = entry
  const what = t(`wallet.kind_${kind}` as string)
  return (
    <li className={classes.item}>
      <div className={classes.words}>
        <span className={classes.what}>
          {uuid.test(txRef) ? (
            <Link to="/trip/$id" params={{ id: txRef }}>
              {what}
            </Link>
          ) : (
            what
          )}
        </span>
        <span className={classes.when}>
          <Ltr>{format.dateTime(date)}</Ltr>
        </span>
      </div>
      <div className={classes.figures}>
        <span className={type === 'Credit' ? classes.credit : classes.debit}>
          <Money amount={type === 'Credit' ? amount : -amount} />
        </span>
        <span className={classes.when}>{t(`wallet.type_${type}`)}</span>
      </div>
    </li>
  )
}
