import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { pushNotificationsTableSpec } from '@hansom/contract/push-notifications-table'
import {
  type PushNotification,
  pushDeviceTypes,
  pushNotificationProblems,
  pushUserTypes,
} from '@hansom/domain/push-notifications/push-notification'
import { IconSend } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useFormat } from '../../lib/format.ts'
import { type Translate, useText } from '../../lib/i18n.ts'
import { useSettings } from '../../lib/settings.ts'
import { useDemoGuard } from '../../ui/use-demo-guard.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { TableColumn } from '../../ui/table/table-types.ts'
import { ComposeDialog } from './compose-dialog.tsx'
import classes from './push-notifications.module.css'
import { SendDialog } from './send-dialog.tsx'
import { SendProgress } from './send-progress.tsx'

const words = (names: readonly string[], group: 'device' | 'user') =>
  Object.fromEntries(names.map((name) => [name, `pushNotifications.${group}_${name}`]))
const deviceWords = words(pushDeviceTypes, 'device')
const userWords = words(pushUserTypes, 'user')

type Field = 'title' | 'body' | 'usertype' | 'devicetype'

/** Checks one field as the server does; the key of what is wrong with it, or null. */
const problemOf = (field: Field) => (value: unknown, row: PushNotification) =>
  pushNotificationProblems({ ...row, [field]: String(value ?? '') }).find(
    (problem) => problem.field === field,
  )?.error ?? null

function columnsFor(t: Translate, written: (at: number) => string): TableColumn<PushNotificationView>[] {
  const choices = (labels: Record<string, string>) => () =>
    Object.entries(labels).map(([value, key]) => ({ value, label: t(key) }))
  return [
    {
      id: 'title',
      header: 'pushNotifications.field_title',
      cell: ({ title }) => <span dir="auto">{title}</span>,
      sort: 'title',
      width: 200,
      phone: 'title',
      edit: {
        kind: 'text',
        value: ({ title }) => title,
        changes: (value) => ({ title: String(value ?? '') }),
        validate: problemOf('title'),
      },
    },
    {
      id: 'body',
      header: 'pushNotifications.field_body',
      cell: ({ body }) => <span dir="auto">{body}</span>,
      width: 216,
      phone: 'subtitle',
      edit: {
        kind: 'text',
        value: ({ body }) => body,
        changes: (value) => ({ body: String(value ?? '') }),
        validate: problemOf('body'),
      },
    },
    {
      id: 'usertype',
      header: 'pushNotifications.field_usertype',
      cell: ({ usertype }) => t(userWords[usertype] ?? usertype),
      width: 160,
      edit: {
        kind: 'choice',
        value: ({ usertype }) => usertype,
        changes: (value) => ({ usertype: value as PushNotification['usertype'] }),
        choices: choices(userWords),
      },
    },
    {
      id: 'devicetype',
      header: 'pushNotifications.field_devicetype',
      cell: ({ devicetype }) => t(deviceWords[devicetype] ?? devicetype),
      width: 120,
      edit: {
        kind: 'choice',
        value: ({ devicetype }) => devicetype,
        changes: (value) => ({ devicetype: value as PushNotification['devicetype'] }),
        choices: choices(deviceWords),
      },
    },
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
      cell: ({ createdAt }) => <bdi>{written(createdAt)}</bdi>,
      sort: 'createdAt',
      width: 196,
    },
  ]
}

/** What the office writes to the devices of riders and drivers: kept, changed, and sent to those who match. */
export function PushNotificationsScreen() {
  const { t } = useText()
  const format = useFormat()
  const { AllowCriticalEditsAdmin } = useSettings()
  const { guard, refused } = useDemoGuard()
  const [sending, setSending] = useState<PushNotificationView | null>(null)
  const columns = useMemo(() => columnsFor(t, format.dateTime), [t, format])
  return (
    <div className={classes.page}>
      <DataTable
        name="push-notifications"
        news="notifications"
        title="pushNotifications.title"
        spec={pushNotificationsTableSpec}
        columns={columns}
        filters={{
          usertype: { label: 'pushNotifications.field_usertype', words: userWords },
          devicetype: { label: 'pushNotifications.field_devicetype', words: deviceWords },
        }}
        page={(query) => api.pushNotifications.list(query)}
        count={(narrowing) => api.pushNotifications.count(narrowing)}
        rowId={({ id }) => id}
        rowName={({ title }) => title}
        save={({ id, version }, { title, body, usertype, devicetype }) =>
          api.pushNotifications.update({ id, version, title, body, usertype, devicetype })
        }
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
        create={{ label: 'pushNotifications.add', dialog: (calls) => <ComposeDialog {...calls} /> }}
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
