import { roles } from '@hansom/domain/users/roles'
import type { TableOffer } from './tables.ts'

/**
 * The tables of people; without a user type: everybody but admins. Words are looked for in name, email, mobile and
 * vehicle number. On a demo that hides contacts nobody is found or sorted by them; only an admin sorts by the balance.
 */
export const usersOffer = {
  sorts: ['createdAt', 'name', 'email', 'walletBalance'],
  opensWith: '-createdAt',
  filters: {
    usertype: { kind: 'choice', values: roles },
    approved: { kind: 'flag' },
    fleetadmin: { kind: 'id' },
    car_type_id: { kind: 'id' },
    driverActiveStatus: { kind: 'flag' },
    queue: { kind: 'flag' },
    /** Drivers whose whereabouts are known. */
    located: { kind: 'flag' },
    createdAt: { kind: 'days' },
  },
  searchable: true,
} as const satisfies TableOffer
