import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { pushNotificationsTableSpec } from '@hansom/contract/push-notifications-table'
import {
  type PushNotification,
  pushDeviceTypes,
  pushNotificationLimits,
  pushNotificationProblems,
  pushUserTypes,
} from '@hansom/domain/push-notifications/push-notification'
import { IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { api, orpc } from '../../lib/api.ts'
import { type Format, useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { announce } from '../../ui/announcer.tsx'
import { fieldOf } from '../../ui/record-field.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { checkedEdit } from '../../ui/table/edit-value.ts'
import type { TableColumn } from '../../ui/table/table-types.ts'
import { putTableRow } from '../../ui/table/table-updates.ts'
import { useDemoGuard } from '../../ui/use-demo-guard.tsx'
import { ComposeDialog, SendDialog } from './push-dialogs.tsx'
import classes from './push-notifications.module.css'

const labels = (names: readonly string[], group: 'device' | 'user') =>
  Object.fromEntries(names.map((name) => [name, `pushNotifications.${group}_${name}`]))
const deviceLabels = labels(pushDeviceTypes, 'device')
const userLabels = labels(pushUserTypes, 'user')

type Column = TableColumn<PushNotification>

/** The columns that are entered; also the fields of the dialog. */
function enteredColumns(t: Translate): readonly Column[] {
  const edit = checkedEdit<PushNotification>(pushNotificationProblems)
  const text = (field: 'title' | 'body', more: Partial<Column>): Column => ({
    id: field,
    header: `pushNotifications.field_${field}`,
    cell: (row) => <span dir="auto">{row[field]}</span>,
    edit: edit('text', field, { maxLength: pushNotificationLimits[field] }),
    ...more,
  })
  const choice = (
    field: 'usertype' | 'devicetype',
    labels: Record<string, string>,
    width: number,
  ): Column => ({
    id: field,
    header: `pushNotifications.field_${field}`,
    cell: (row) => t(labels[row[field]] ?? row[field]),
    width,
    edit: edit('choice', field, {
      choices: () => Object.entries(labels).map(([value, key]) => ({ value, label: t(key) })),
    }),
  })
  return [
    text('title', { sort: 'title', width: 200, phone: 'title' }),
    text('body', { width: 216, phone: 'subtitle' }),
    choice('usertype', userLabels, 160),
    choice('devicetype', deviceLabels, 120),
  ]
}

function storedColumns(format: Format): readonly TableColumn<PushNotificationView>[] {
  return [
    {
      id: 'sent',
      header: 'pushNotifications.field_sent',
      cell: (row) => <SendProgress notification={row} />,
      width: 160,
      phone: 'badge',
    },
    {
      id: 'createdAt',
      header: 'pushNotifications.field_createdAt',
      cell: ({ createdAt }) => <bdi>{format.dateTime(createdAt)}</bdi>,
      sort: 'createdAt',
      width: 196,
    },
  ]
}

/** Notifications from admins to the devices of riders and drivers. */
export function PushNotificationsScreen() {
  const { t } = useText()
  const format = useFormat()
  const { AllowCriticalEditsAdmin } = useSettings()
  const { guard, refused } = useDemoGuard()
  const [sending, setSending] = useState<PushNotificationView | null>(null)
  const entered = useMemo(() => enteredColumns(t), [t])
  const columns = useMemo<readonly TableColumn<PushNotificationView>[]>(
    () => [...entered, ...storedColumns(format)],
    [entered, format],
  )
  const fields = useMemo(
    () => entered.map((column) => fieldOf(column, column.id === 'body' ? 'area' : undefined)),
    [entered],
  )
  return (
    <div className={classes.page}>
      <DataTable
        name="push-notifications"
        changeEvents="notifications"
        title="pushNotifications.title"
        spec={pushNotificationsTableSpec}
        columns={columns}
        filters={{
          usertype: { label: 'pushNotifications.field_usertype', words: userLabels },
          devicetype: { label: 'pushNotifications.field_devicetype', words: deviceLabels },
        }}
        page={(query) => api.pushNotifications.list(query)}
        count={(narrowing) => api.pushNotifications.count(narrowing)}
        rowId={({ id }) => id}
        rowName={({ title }) => title}
        save={({ id, version }, changes) => api.pushNotifications.update({ ...changes, id, version })}
        rowActions={({ lastSend }) =>
          lastSend !== null && lastSend.finished_at === null
            ? []
            : [
                {
                  id: 'send',
                  label: t(lastSend === null ? 'pushNotifications.send' : 'pushNotifications.send_again'),
                  icon: <IconSend size={18} aria-hidden />,
                  onSelect: (row) => guard('pushNotifications.send', () => setSending(row)),
                },
              ]
        }
        create={{
          label: 'pushNotifications.add',
          dialog: ({ onCreated, ...calls }) => (
            <ComposeDialog
              fields={fields}
              {...calls}
              onCreated={(row) => {
                onCreated(row)
                guard('pushNotifications.send', () => setSending(row))
              }}
            />
          ),
        }}
        remove={{
          name: ({ title }) => title,
          call: ({ id }) => api.pushNotifications.remove({ id }),
          when: ({ lastSend }) => lastSend === null || lastSend.finished_at !== null,
          safety: 'undo',
        }}
        routes={{
          save: 'pushNotifications.update',
          create: 'pushNotifications.create',
          remove: 'pushNotifications.remove',
        }}
        exportUrl={AllowCriticalEditsAdmin ? '/api/v1/exports/push-notifications' : undefined}
        empty={{ title: 'pushNotifications.empty', text: 'pushNotifications.empty_text' }}
      />
      {refused}
      {sending ? <SendDialog notification={sending} onClose={() => setSending(null)} /> : null}
    </div>
  )
}

const pollMs = 1_000

/** The progress of the last send, polled every second while it runs. */
function SendProgress({ notification }: { notification: PushNotificationView }) {
  const { t } = useText()
  const format = useFormat()
  const { id, title, lastSend } = notification
  const isRunning = lastSend !== null && lastSend.finished_at === null
  const polled = useQuery({
    ...orpc.pushNotifications.get.queryOptions({ input: { id } }),
    enabled: isRunning,
    refetchInterval: pollMs,
    staleTime: 0,
  }).data
  useEffect(() => {
    if (!isRunning || !polled?.lastSend) return
    putTableRow('push-notifications', polled, (row) => row.id)
    const { done, listed, finished_at } = polled.lastSend
    if (finished_at !== null) announce(t('pushNotifications.sent_to', { count: done + listed, title }))
  }, [isRunning, polled, t, title])

  if (lastSend === null) return <span className={classes.quiet}>{t('pushNotifications.never')}</span>
  const { at, total, done, failed, listed } = lastSend
  if (!isRunning) {
    return (
      <span className={classes.progress}>
        <span>{t('pushNotifications.reached', { count: done + listed })}</span>
        <small className={classes.quiet}>
          {listed > 0 ? `${t('pushNotifications.listed', { count: listed })} · ` : ''}
          {failed > 0 ? `${t('pushNotifications.failed', { count: failed })} · ` : ''}
          <bdi>{format.dateTime(at)}</bdi>
        </small>
      </span>
    )
  }
  const label = t('pushNotifications.progress', { done: done + failed + listed, total })
  return (
    <span className={classes.progress}>
      <progress
        className={classes.bar}
        value={done + failed + listed}
        max={Math.max(1, total)}
        aria-label={label}
      />
      <small className={classes.quiet}>{label}</small>
    </span>
  )
}
