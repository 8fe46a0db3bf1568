import type { ImportRow } from '@hansom/contract/deliveries'
import { maxLabels } from '@hansom/domain/deliveries/delivery'
import { type ImportRowState, importRowStates, positionByName } from '@hansom/domain/deliveries/import'
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DownloadLink } from '../../ui/download-link.tsx'
import { Money } from '../../ui/money.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorState, LoadingState } from '../../ui/page-states.tsx'
import { fieldProblem } from '../../ui/problem-summary.tsx'
import { ToggleGroup } from '../../ui/toggle-group.tsx'
import { useSubmit } from '../../ui/use-submit.tsx'
import classes from './parcels.module.css'

const refreshMs = 2_000

interface Props {
  id: string
  /** For an admin: whose file it is. */
  sender: string | undefined
  onBack: () => void
}

/** A file's dry run, and its queue once the sender has had it booked. */
export function ImportDetails({ id, sender, onBack }: Props) {
  const { t } = useText()
  const format = useFormat()
  const client = useQueryClient()
  const [state, setState] = useState<ImportRowState | 'all'>('all')
  const query = useInfiniteQuery({
    ...orpc.deliveries.showImport.infiniteOptions({
      input: (after: number | undefined) => ({
        id,
        sender,
        ...(after !== undefined && { after }),
        ...(state !== 'all' && { state }),
      }),
      initialPageParam: undefined,
      getNextPageParam: ({ next }) => next ?? undefined,
    }),
    placeholderData: keepPreviousData,
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
  const shownStates = importRowStates.filter((one) => counts[one] || one === state)
  return (
    <div className={classes.tab}>
      <div className={classes.actions}>
        <Button variant="quiet" onClick={onBack}>
          {t('common.back')}
        </Button>
      </div>
      <h2>
        <bdi>{file.name}</bdi>
      </h2>
      <output>
        {checking > 0
          ? t('parcels.import_checking', { number: format.number(checking) })
          : t(file.confirmed_at === null ? 'parcels.import_checked' : 'parcels.import_counts', {
              good: format.number(good),
              bad: format.number(counts.bad ?? 0),
              queued: format.number(queued),
              booked: format.number(counts.booked ?? 0),
            })}
      </output>
      <div className={classes.actions}>
        {good > 0 && checking === 0 ? (
          <Button
            variant="primary"
            busy={command.busy}
            onClick={() => command.send(() => api.deliveries.bookImport({ id, sender }))}
          >
            {t('parcels.book_rows', { count: good, number: format.number(good) })}
          </Button>
        ) : null}
        <ImportLabels id={id} booked={counts.booked ?? 0} />
        {queued > 0 ? (
          <Button
            busy={command.busy}
            onClick={() => command.send(() => api.deliveries.stopImport({ id, sender }))}
          >
            {t('parcels.stop_rows')}
          </Button>
        ) : null}
      </div>
      {shownStates.length > 1 ? (
        <ToggleGroup
          label={t('parcels.shown_rows')}
          options={[
            { value: 'all', label: t('parcels.all_rows') },
            ...shownStates.map((one) => ({
              value: one,
              label: t(`parcels.row_${one}`),
            })),
          ]}
          value={state}
          onChange={setState}
        />
      ) : null}
      {due > 0 ? (
        <p>
          {t('parcels.import_due')} <Money amount={due} /> · {t('parcels.import_balance')}{' '}
          <Money amount={balance} />
        </p>
      ) : null}
      {due > balance ? (
        <Notice tone="attention">{t(sender ? 'parcels.import_short_for' : 'parcels.import_short')}</Notice>
      ) : null}
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
          {t('parcels.show_more')}
        </Button>
      ) : null}
    </div>
  )
}

function Row({ row: { n, state, data, problems, plan, fare, reason, booking } }: { row: ImportRow }) {
  const { t } = useText()
  const format = useFormat()
  const problemText = useProblemText()
  return (
    <li className={classes.card} data-state={state}>
      <div className={classes.facts}>
        <span className={classes.soft}>
          {t('parcels.row', { number: format.number(n) })} · {t(`parcels.row_${state}`)}
        </span>
        <strong>
          <bdi>{data.person}</bdi>
        </strong>
        <span>
          <bdi>{plan?.drop.add ?? data.drop}</bdi>
        </span>
        {data.reference ? (
          <span className={classes.soft}>
            <bdi>{data.reference}</bdi>
          </span>
        ) : null}
        {problems.length > 0 ? (
          <ul className={classes.problems}>
            {problems.map((problem) => (
              <li key={problem.column}>
                <strong>{t(`parcels.column_${problem.column}`)}</strong>: {problemText(problem, data)}
              </li>
            ))}
          </ul>
        ) : null}
        {reason ? <span className={classes.problem}>{t(`error.${reason}`)}</span> : null}
      </div>
      <div className={classes.end}>
        {fare === null ? null : <Money amount={fare} />}
        {booking ? (
          <Link to="/trip/$id" params={{ id: booking }}>
            {t('parcels.open_delivery')}
          </Link>
        ) : null}
      </div>
    </li>
  )
}

/** What is wrong with a cell, and what may be in it. */
function useProblemText(): (problem: ImportRow['problems'][number], data: ImportRow['data']) => string {
  const { t } = useText()
  const { data: carTypes = [] } = useQuery(orpc.carTypes.list.queryOptions())
  const names = (column: string, { vehicle }: ImportRow['data']) => {
    const vehicles = carTypes.map(({ name }) => name)
    if (column === 'vehicle') return vehicles
    const carType = carTypes[positionByName(vehicles, vehicle)]
    const list = column === 'option' ? carType?.options : carType?.parcelTypes
    return list?.map(({ description }) => description) ?? []
  }
  return ({ column, error }, data) => {
    if (column === 'phone' && error === 'deliveryDetailMissing') return t('delivery.missing_phone')
    if (error === 'place_to_coords_error') return t('parcels.problem_place')
    if (error === 'wrong_type') return t('parcels.problem_time')
    const allowed = error === 'not_in_list' ? names(column, data) : []
    if (allowed.length === 0) return fieldProblem(error, t)
    return t('parcels.problem_list', { names: allowed.map((name) => isolated(name)).join(' · ') })
  }
}

/** Downloads of the labels of a file's deliveries, a PDF for each 100. */
export function ImportLabels({ id, booked }: { id: string; booked: number }) {
  const { t } = useText()
  const format = useFormat()
  const parts = Array.from({ length: Math.ceil(booked / maxLabels) }, (_, index) => index + 1)
  return parts.map((part) => (
    <DownloadLink
      key={part}
      href={`/api/v1/me/imports/${id}/labels.pdf?part=${part}`}
      className={buttonClass({ size: 'small' })}
    >
      {parts.length === 1
        ? t('delivery.print_labels')
        : t('parcels.print_labels_part', {
            from: format.number((part - 1) * maxLabels + 1),
            to: format.number(Math.min(part * maxLabels, booked)),
          })}
    </DownloadLink>
  ))
}
