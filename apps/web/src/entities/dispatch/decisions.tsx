import type { DispatchDecision } from '@hansom/contract/dispatch'
import { decisionReasons, mostIdleS, outcomeOf } from '@hansom/domain/dispatch/strategies'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { isolated, useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { LoadingState } from '../../ui/page-states.tsx'
import classes from './decisions.module.css'

/** Why drivers were asked for a booking or not, round by round; read when it is opened. `version` is the booking's. */
export function Decisions({ booking, version }: { booking: string; version: number }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  return (
    <details className={classes.box} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('decisions.why')}</summary>
      {open ? <Rounds booking={booking} version={version} /> : null}
    </details>
  )
}

function Rounds({ booking, version }: { booking: string; version: number }) {
  const { t } = useText()
  const input = { id: booking }
  const query = useQuery({
    ...orpc.dispatch.decisions.queryOptions({ input }),
    queryKey: [...orpc.dispatch.decisions.queryKey({ input }), version],
    placeholderData: (before) => before,
  })
  if (query.isError) return <ErrorMessage error={query.error} />
  if (!query.data) return <LoadingState rows={3} height="48px" />
  if (query.data.length === 0) return <p className={classes.none}>{t('decisions.empty')}</p>
  return (
    <ol className={classes.rounds}>
      {query.data.map((decision, index) => (
        <Round key={decision.wave} decision={decision} before={query.data[index + 1]?.wave ?? 0} />
      ))}
    </ol>
  )
}

/** Drivers of a round that are shown before the others are asked for. */
const fewDrivers = 5

/** `before` is the round before, 0 for none. */
function Round({ decision, before }: { decision: DispatchDecision; before: number }) {
  const { t } = useText()
  const format = useFormat()
  const [all, setAll] = useState(false)
  const { wave, at, kind, strategy, rule, radiusKm, counts, drivers } = decision
  const considered = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <li>
      <p className={classes.round}>
        <strong>{t('decisions.round', { number: format.number(wave) })}</strong>
        <time dateTime={new Date(at).toISOString()}>
          <Ltr>{format.clock(at)}</Ltr>
        </time>
      </p>
      <p className={classes.strategy}>
        <span>{t(`decisions.strategy_${strategy}`)}</span>
        <span>{t('decisions.radius', { distance: isolated(format.distance(radiusKm)) })}</span>
        {rule === null ? null : <span>{t('decisions.by_rule', { rule: isolated(rule) })}</span>}
      </p>
      {strategy === 'waves' && kind === 'ask' && wave > before + 1 ? (
        <p className={classes.strategy}>{t('decisions.widened')}</p>
      ) : null}
      {kind === 'ask' ? null : <p className={classes.strategy}>{t(`decisions.kind_${kind}`)}</p>}
      <Counts counts={counts} />
      <ul className={classes.drivers}>
        {drivers
          .slice(0, all ? undefined : fewDrivers)
          .map(({ id, name, reason, km, arrivalS, freeS, idleS }) => (
            <li key={id} data-outcome={outcomeOf(reason)}>
              <bdi className={classes.name}>{name}</bdi>
              <span className={classes.reason}>{t(`decisions.reason_${reason}`)}</span>
              <span className={classes.detail}>
                <span>{format.distance(km)}</span>
                {arrivalS > 0 ? (
                  <span>{t('decisions.arrives', { duration: isolated(format.duration(arrivalS)) })}</span>
                ) : null}
                {freeS > 0 ? (
                  <span>{t('decisions.soon_free', { duration: isolated(format.duration(freeS)) })}</span>
                ) : null}
                {idleS > 0 && idleS < mostIdleS ? (
                  <span>{t('decisions.idle', { duration: isolated(format.duration(idleS)) })}</span>
                ) : null}
              </span>
            </li>
          ))}
      </ul>
      {all && considered > drivers.length ? (
        <p className={classes.none}>{t('decisions.only_first', { number: format.number(drivers.length) })}</p>
      ) : null}
      {drivers.length > fewDrivers ? (
        <Button variant="quiet" className={classes.more} aria-expanded={all} onClick={() => setAll(!all)}>
          {t(all ? 'decisions.fewer' : 'decisions.all')}
        </Button>
      ) : null}
    </li>
  )
}

/** How many were asked, passed over and excluded, and for which reasons. */
function Counts({ counts }: Pick<DispatchDecision, 'counts'>) {
  const { t } = useText()
  const format = useFormat()
  const counted = (key: string, value: number) =>
    t('common.labeled', { name: t(key), value: isolated(format.number(value)) })
  const outcomes = (['offered', 'passed_over', 'excluded'] as const).flatMap((outcome) => {
    const reasons = decisionReasons.filter((reason) => outcomeOf(reason) === outcome && counts[reason])
    const total = reasons.reduce((sum, reason) => sum + (counts[reason] ?? 0), 0)
    return total === 0 ? [] : [{ outcome, reasons, total }]
  })
  if (outcomes.length === 0) return null
  return (
    <ul className={classes.counts}>
      {outcomes.map(({ outcome, reasons, total }) => (
        <li key={outcome}>
          <strong>{counted(`decisions.outcome_${outcome}`, total)}</strong>
          {outcome === 'offered'
            ? null
            : reasons.map((reason) => (
                <span key={reason}>{counted(`decisions.reason_${reason}`, counts[reason] ?? 0)}</span>
              ))}
        </li>
      ))}
    </ul>
  )
}

/**
 * A driver's recent requests nearby, and why each was offered or not; read when it is opened, and whenever the requests to
 * the driver, `offers`, change.
 */
export function RecentRequests({ offers }: { offers: string }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  return (
    <details className={classes.box} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('decisions.mine')}</summary>
      {open ? <OwnReasons offers={offers} /> : null}
    </details>
  )
}

function OwnReasons({ offers }: { offers: string }) {
  const { t } = useText()
  const format = useFormat()
  const query = useQuery({
    ...orpc.dispatch.recent.queryOptions(),
    queryKey: [...orpc.dispatch.recent.queryKey(), offers],
    placeholderData: (before) => before,
    staleTime: 0,
    refetchInterval: 30_000,
  })
  if (query.isError) return <ErrorMessage error={query.error} />
  if (!query.data) return <LoadingState rows={3} height="48px" />
  if (query.data.length === 0) return <p className={classes.none}>{t('decisions.mine_none')}</p>
  return (
    <>
      <p className={classes.none}>{t('decisions.mine_text')}</p>
      <ul className={classes.drivers}>
        {query.data.map(({ at, reason, km }) => (
          <li key={`${at} ${km}`} data-outcome={outcomeOf(reason)}>
            <span className={classes.name}>{t(`decisions.mine_${reason}`)}</span>
            <time className={classes.reason} dateTime={new Date(at).toISOString()}>
              <Ltr>{format.clock(at)}</Ltr>
            </time>
            <span className={classes.detail}>
              {t('decisions.within', { distance: isolated(format.distance(km)) })}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
