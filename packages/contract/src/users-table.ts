import { approvals } from '@hansom/domain/users/profile'
import { roles } from '@hansom/domain/users/roles'
import type { TableSpec } from './tables.ts'

/**
 * The tables of users; without a user type: everyone but admins. The search covers name, email, mobile and vehicle
 * number. On a demo that hides contacts they are neither searched nor sorted by; only an admin can sort by balance.
 */
export const usersTableSpec = {
  sorts: ['createdAt', 'name', 'email', 'walletBalance'],
  defaultSort: '-createdAt',
  filters: {
    usertype: { kind: 'choice', values: roles },
    approved: { kind: 'flag' },
    approval: { kind: 'choice', values: approvals },
    fleetadmin: { kind: 'id' },
    car_type_id: { kind: 'id' },
    driverActiveStatus: { kind: 'flag' },
    queue: { kind: 'flag' },
    /** Riders without a sign-in, whom the office booked for; for admins. */
    guest: { kind: 'flag' },
    /** Drivers with a known location. */
    located: { kind: 'flag' },
    createdAt: { kind: 'days' },
  },
  sums: ['walletBalance'],
  searchable: true,
} as const satisfies TableSpec
