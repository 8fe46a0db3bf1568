import type { PushNotificationView } from '@hansom/contract/push-notifications'
import { pushNotificationsTableSpec } from '@hansom/contract/push-notifications-table'
import { type TableExport, tableExport } from '../../platform/tables/table-export.ts'
import type { PushNotificationsService } from './service.ts'

/** CSV export of the admin notifications. */
export const pushNotificationsExport = (service: Pick<PushNotificationsService, 'everything'>): TableExport =>
  tableExport<PushNotificationView>({
    name: 'push-notifications',
    offer: pushNotificationsTableSpec,
    to: ['admin'],
    when: 'critical',
    rows: (_person, query) => service.everything(query),
    columns: [
      { title: 'pushNotifications.field_createdAt', as: 'time', value: (row) => row.createdAt },
      { title: 'pushNotifications.field_title', as: 'text', value: (row) => row.title },
      { title: 'pushNotifications.field_body', as: 'text', value: (row) => row.body },
      {
        title: 'pushNotifications.field_usertype',
        as: { words: 'pushNotifications.user_' },
        value: (row) => row.usertype,
      },
      {
        title: 'pushNotifications.field_devicetype',
        as: { words: 'pushNotifications.device_' },
        value: (row) => row.devicetype,
      },
      { title: 'pushNotifications.field_sent', as: 'time', value: (row) => row.lastSend?.at ?? null },
    ],
  })
