import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { pushNotificationsTableSpec } from '@hansom/contract/push-notifications-table'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { PushNotificationsService } from './service.ts'

/** CSV export of the admin notifications. */
export const pushNotificationsExport = (service: Pick<PushNotificationsService, 'all'>): TableExport =>
  tableExport<PushNotificationView>({
    name: 'push-notifications',
    offer: pushNotificationsTableSpec,
    roles: ['admin'],
    when: 'critical',
    rows: (_person, query) => service.all(query),
    columns: [
      { title: 'pushNotifications.field_createdAt', kind: 'time', value: (row) => row.createdAt },
      { title: 'pushNotifications.field_title', kind: 'text', value: (row) => row.title },
      { title: 'pushNotifications.field_body', kind: 'text', value: (row) => row.body },
      {
        title: 'pushNotifications.field_usertype',
        kind: { words: 'pushNotifications.user_' },
        value: (row) => row.usertype,
      },
      {
        title: 'pushNotifications.field_devicetype',
        kind: { words: 'pushNotifications.device_' },
        value: (row) => row.devicetype,
      },
      { title: 'pushNotifications.field_sent', kind: 'time', value: (row) => row.lastSend?.at ?? null },
    ],
  })
