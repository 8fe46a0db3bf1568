import { pushDeviceTypes, pushUserTypes } from '@hansom/domain/push-notifications/push-notification'
import type { TableSpec } from './tables.ts'

export const pushNotificationsTableSpec = {
  sorts: ['createdAt', 'title'],
  defaultSort: '-createdAt',
  filters: {
    devicetype: { kind: 'choice', values: pushDeviceTypes },
    usertype: { kind: 'choice', values: pushUserTypes },
  },
  searchable: true,
} as const satisfies TableSpec
