import type { UserView } from '@hansom/contract/users'
import { usersTableSpec } from '@hansom/contract/users-table'
import { type TableExport, tableExport } from '../../../platform/tables/table-export.ts'
import type { PeopleService } from './service.ts'

/** CSV export of the user tables; contacts that a demo hides stay hidden. */
export const peopleExport = (people: Pick<PeopleService, 'all'>): TableExport =>
  tableExport<UserView>({
    name: 'users',
    offer: usersTableSpec,
    roles: ['fleetadmin', 'admin'],
    when: 'critical',
    rows: (person, query) => people.all(person, query),
    columns: [
      { title: 'exports.createdAt', kind: 'time', value: (row) => row.createdAt },
      { title: 'exports.usertype', kind: { words: 'auth.role_' }, value: (row) => row.usertype },
      { title: 'exports.firstName', kind: 'text', value: (row) => row.firstName },
      { title: 'exports.lastName', kind: 'text', value: (row) => row.lastName },
      { title: 'exports.email', kind: 'text', value: (row) => row.email },
      { title: 'exports.mobile', kind: 'text', value: (row) => row.mobile },
      { title: 'exports.approved', kind: 'flag', value: (row) => row.approved },
      { title: 'exports.walletBalance', kind: 'amount', roles: ['admin'], value: (row) => row.walletBalance },
      { title: 'exports.rating', kind: 'number', value: (row) => row.rating },
      { title: 'exports.referralId', kind: 'text', roles: ['admin'], value: (row) => row.referralId },
      { title: 'exports.fleetadmin', kind: 'text', value: (row) => row.fleetadmin_name },
      { title: 'exports.carType', kind: 'text', value: (row) => row.carType },
      { title: 'exports.vehicleMake', kind: 'text', value: (row) => row.vehicleMake },
      { title: 'exports.vehicleModel', kind: 'text', value: (row) => row.vehicleModel },
      { title: 'exports.vehicle_number', kind: 'text', value: (row) => row.vehicleNumber },
      { title: 'exports.driverActiveStatus', kind: 'flag', value: (row) => row.driverActiveStatus },
      { title: 'exports.queue', kind: 'flag', value: (row) => row.queue },
    ],
  })
