import type { ImportRow } from '@hansom/contract/deliveries'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { fieldProblem } from '../../ui/problem-summary.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import classes from './parcels.module.css'

const refreshMs = 2_000

/** A file's dry run, and its queue once the sender has had it booked. */
export function ImportDetails({ id, onBack }: { id: string; onBack: () => void }) {
  const { t } = useText()
  const format = useFormat()
  const client = useQueryClient()
  const query = useInfiniteQuery({
    ...orpc.deliveries.showImport.infiniteOptions({
      input: (after: number | undefined) => ({ id, ...(after !== undefined && { after }) }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
    refetchInterval: ({ state: { data } }) => {
      const counts = data?.pages[0]?.counts
      return counts?.new || counts?.queued ? refreshMs : false
    },
  })
  const command = useSubmit(() => void client.invalidateQueries({ queryKey: orpc.deliveries.key() }))
  const pages = query.data?.pages ?? []
  const [file] = pages
  if (query.isPending) return <LoadingState />
  if (!file) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { counts, due, balance } = file
  const [checking = 0, good = 0, queued = 0] = [counts.new, counts.good, counts.queued]
  return (
    <div className={classes.tab}>
      <div className={classes.actions}>
        <Button variant="quiet" onClick={onBack}>
          {t('common.back')}
        </Button>
        {good > 0 && checking === 0 ? (
          <Button
            variant="primary"
            busy={command.busy}
            onClick={() => command.send(() => api.deliveries.bookImport({ id }))}
          >
            {t('delivery.book_rows', { number: format.number(good) })}
          </Button>
        ) : null}
        {queued > 0 ? (
          <Button busy={command.busy} onClick={() => command.send(() => api.deliveries.stopImport({ id }))}>
            {t('delivery.stop_rows')}
          </Button>
        ) : null}
      </div>
      <h2 dir="auto">{file.name}</h2>
      <output>
        {checking > 0
          ? t('delivery.import_checking', { number: format.number(checking) })
          : t('delivery.import_counts', {
              good: format.number(good),
              bad: format.number(counts.bad ?? 0),
              queued: format.number(queued),
              booked: format.number(counts.booked ?? 0),
            })}
      </output>
      {due > 0 ? (
        <p>
          {t('delivery.import_due')} <Money amount={due} /> · {t('delivery.import_balance')}{' '}
          <Money amount={balance} />
        </p>
      ) : null}
      {due > balance ? <Notice tone="attention">{t('delivery.import_short')}</Notice> : null}
      {command.failure}
      <ul className={classes.list}>
        {pages
          .flatMap(({ items }) => items)
          .map((row) => (
            <Row key={row.n} row={row} />
          ))}
      </ul>
      {query.hasNextPage ? (
        <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t('delivery.show_more')}
        </Button>
      ) : null}
    </div>
  )
}

function Row({ row: { n, state, data, problems, plan, fare, reason, booking } }: { row: ImportRow }) {
  const { t } = useText()
  const format = useFormat()
  return (
    <li className={classes.card} data-state={state}>
      <div className={classes.facts}>
        <span className={classes.soft}>
          {t('delivery.row', { number: format.number(n) })} · {t(`delivery.row_${state}`)}
        </span>
        <strong dir="auto">{data.person}</strong>
        <span dir="auto">{plan?.drop.add ?? data.drop}</span>
        {data.reference ? (
          <span className={classes.soft} dir="auto">
            {data.reference}
          </span>
        ) : null}
        {problems.map(({ column, error }) => (
          <span key={column} className={classes.problem}>
            {t(`delivery.column_${column}`)}: {fieldProblem(error, t)}
          </span>
        ))}
        {reason ? <span className={classes.problem}>{t(`error.${reason}`)}</span> : null}
      </div>
      <div className={classes.facts}>
        {fare === null ? null : <Money amount={fare} />}
        {booking ? (
          <Link to="/trip/$id" params={{ id: booking }}>
            {t('delivery.open_delivery')}
          </Link>
        ) : null}
      </div>
    </li>
  )
}
