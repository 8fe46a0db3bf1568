import type { UserView } from '@hansom/contract/users'
import { usersTableSpec } from '@hansom/contract/users-table'
import { type TableExport, tableExport } from '../../../platform/tables/table-export.ts'
import type { PeopleService } from './service.ts'

/** CSV export of the user tables; contacts that a demo hides stay hidden. */
export const peopleExport = (people: Pick<PeopleService, 'everybody'>): TableExport =>
  tableExport<UserView>({
    name: 'users',
    offer: usersTableSpec,
    to: ['fleetadmin', 'admin'],
    when: 'critical',
    rows: (person, query) => people.everybody(person, query),
    columns: [
      { title: 'exports.createdAt', as: 'time', value: (row) => row.createdAt },
      { title: 'exports.usertype', as: { words: 'auth.role_' }, value: (row) => row.usertype },
      { title: 'exports.firstName', as: 'text', value: (row) => row.firstName },
      { title: 'exports.lastName', as: 'text', value: (row) => row.lastName },
      { title: 'exports.email', as: 'text', value: (row) => row.email },
      { title: 'exports.mobile', as: 'text', value: (row) => row.mobile },
      { title: 'exports.approved', as: 'flag', value: (row) => row.approved },
      { title: 'exports.walletBalance', as: 'amount', to: ['admin'], value: (row) => row.walletBalance },
      { title: 'exports.rating', as: 'number', value: (row) => row.rating },
      { title: 'exports.referralId', as: 'text', to: ['admin'], value: (row) => row.referralId },
      { title: 'exports.fleetadmin', as: 'text', value: (row) => row.fleetadmin_name },
      { title: 'exports.carType', as: 'text', value: (row) => row.carType },
      { title: 'exports.vehicleMake', as: 'text', value: (row) => row.vehicleMake },
      { title: 'exports.vehicleModel', as: 'text', value: (row) => row.vehicleModel },
      { title: 'exports.vehicle_number', as: 'text', value: (row) => row.vehicleNumber },
      { title: 'exports.driverActiveStatus', as: 'flag', value: (row) => row.driverActiveStatus },
      { title: 'exports.queue', as: 'flag', value: (row) => row.queue },
    ],
  })
