import type { TableSpec } from './tables.ts'

const months = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'] as const

/**
 * Drivers' earnings. `period` is the period of a row; with `-period`, the larger share comes first within the same
 * period.
 */
export const driverEarningsTable = {
  sorts: ['period', 'earned', 'driverShare', 'total_rides'],
  defaultSort: '-period',
  filters: {
    year: { kind: 'numbers' },
    month: { kind: 'choice', values: months },
    driver: { kind: 'id' },
    fleetadmin: { kind: 'id' },
  },
  searchable: true,
} as const satisfies TableSpec

/** The platform's earnings by month. */
export const earningsTable = {
  sorts: [
    'period',
    'total_rides',
    'tripCost',
    'rideCost',
    'convenienceFee',
    'discountAmount',
    'profit',
    'cancelled',
    'driverShare',
    'cancellationFees',
    'writeOffs',
    'platformRefunds',
    'disputeFees',
    'net',
  ],
  defaultSort: '-period',
  filters: { year: { kind: 'numbers' }, month: { kind: 'choice', values: months } },
  searchable: false,
} as const satisfies TableSpec

/** Grouping of the rows of drivers' earnings: by month, by year, or over a driver's entire time. */
export const driverEarningSteps = ['month', 'year', 'driver'] as const
export type DriverEarningStep = (typeof driverEarningSteps)[number]
