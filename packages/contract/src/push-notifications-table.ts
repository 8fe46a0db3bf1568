import { pushDeviceTypes, pushUserTypes } from '@hansom/domain/push-notifications/push-notification'
import type { TableOffer } from './tables.ts'

export const pushNotificationsOffer = {
  sorts: ['createdAt', 'title'],
  opensWith: '-createdAt',
  filters: {
    devicetype: { kind: 'choice', values: pushDeviceTypes },
    usertype: { kind: 'choice', values: pushUserTypes },
  },
  searchable: true,
} as const satisfies TableOffer
