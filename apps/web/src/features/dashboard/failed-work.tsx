import type { FailedWork } from '@hansom/contract/failed-work'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { orpc } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { useText } from '../../lib/i18n.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogButtons } from '../../ui/dialog-buttons.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Ltr } from '../../ui/ltr.tsx'
import { useDemoGuard } from '../../ui/use-demo-guard.tsx'
import classes from './failed-work.module.css'

const freshEveryMs = 30_000

/** Alert about jobs and events that failed after all retries; empty if there are none. */
export function FailedWorkAlert() {
  const { t } = useText()
  const client = useQueryClient()
  const failed = useQuery({ ...orpc.failedWork.list.queryOptions(), refetchInterval: freshEveryMs })
  const [discarding, setDiscarding] = useState<FailedWork | null>(null)
  const demo = useDemoGuard()
  const reload = () => client.invalidateQueries({ queryKey: orpc.failedWork.list.queryKey() })
  const retry = useMutation({
    ...orpc.failedWork.retry.mutationOptions(),
    onSuccess: () => announce(t('dashboard.failed_retried')),
    onSettled: reload,
  })
  const discard = useMutation({
    ...orpc.failedWork.discard.mutationOptions(),
    onSuccess: () => setDiscarding(null),
    onSettled: reload,
  })
  const items = failed.data?.items ?? []
  if (items.length === 0) return null
  return (
    <section className={classes.alert} aria-labelledby="failed-work-title">
      <h2 id="failed-work-title" className={classes.title}>
        {t('dashboard.failed_title')}
      </h2>
      <p className={classes.text}>{t('dashboard.failed_text')}</p>
      <ul className={classes.list}>
        {items.map((item) => (
          <FailedItem
            key={`${item.kind} ${item.name}`}
            item={item}
            isBusy={retry.isPending}
            onRetry={() => demo.guard('failedWork.retry', () => retry.mutate(chosen(item)))}
            onDiscard={() => demo.guard('failedWork.discard', () => setDiscarding(item))}
          />
        ))}
      </ul>
      {retry.isError ? (
        <p role="alert">
          <ErrorMessage error={retry.error} />
        </p>
      ) : null}
      {demo.refused}
      <Dialog
        open={discarding !== null}
        onClose={() => setDiscarding(null)}
        title={t('dashboard.failed_discard_title')}
        footer={
          <DialogButtons onCancel={() => setDiscarding(null)}>
            <Button
              variant="danger"
              busy={discard.isPending}
              onClick={() => discarding && discard.mutate(chosen(discarding))}
            >
              {t('dashboard.failed_discard')}
            </Button>
          </DialogButtons>
        }
      >
        <p>{t('dashboard.failed_discard_text', { count: discarding?.count ?? 0 })}</p>
        {discard.isError ? (
          <p role="alert">
            <ErrorMessage error={discard.error} />
          </p>
        ) : null}
      </Dialog>
    </section>
  )
}

const chosen = ({ kind, name, latest }: FailedWork) => ({ kind, name, until: latest })

interface ItemProps {
  item: FailedWork
  isBusy: boolean
  onRetry: () => void
  onDiscard: () => void
}

function FailedItem({ item, isBusy, onRetry, onDiscard }: ItemProps) {
  const { t } = useText()
  const format = useFormat()
  const { kind, name, count, since, error } = item
  return (
    <li className={classes.item}>
      <div className={classes.what}>
        <strong>
          {t(`dashboard.failed_${kind}`)} <Ltr>{name}</Ltr>
        </strong>
        <span>{t('dashboard.failed_since', { count, since: format.dateTime(since) })}</span>
        <code className={classes.error} dir="ltr">
          {error}
        </code>
      </div>
      <div className={classes.buttons}>
        <Button
          size="small"
          busy={isBusy}
          onClick={onRetry}
          aria-label={t('common.labeled', { name: t('common.retry'), value: name })}
        >
          {t('common.retry')}
        </Button>
        <Button
          size="small"
          variant="quiet"
          onClick={onDiscard}
          aria-label={t('common.labeled', { name: t('dashboard.failed_discard'), value: name })}
        >
          {t('dashboard.failed_discard')}
        </Button>
      </div>
    </li>
  )
}
