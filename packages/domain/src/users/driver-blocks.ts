import { type DebtSettings, type DriverState, locationFreshMs, mayCollect } from './eligibility.ts'

/** Reasons why no request can reach a driver now. */
export const driverBlocks = ['not_approved', 'offline', 'busy', 'no_location', 'no_car_type', 'debt'] as const
export type DriverBlock = (typeof driverBlocks)[number]

/** All reasons that block requests, in the order of `driverBlocks`; `debt` blocks cash trips only. */
export function blocksOf(driver: DriverState, settings: DebtSettings & { now: number }): DriverBlock[] {
  const isFresh =
    driver.location !== null &&
    driver.located_at !== null &&
    settings.now - driver.located_at <= locationFreshMs
  const blocked: Record<DriverBlock, boolean> = {
    not_approved: !driver.approved,
    offline: !driver.driverActiveStatus,
    busy: driver.queue,
    no_location: !isFresh,
    no_car_type: driver.carType === null,
    debt: !mayCollect(driver.walletBalance, { ...settings, payment_mode: 'cash' }),
  }
  return driverBlocks.filter((block) => blocked[block])
}

/** True if requests can reach a driver with these reasons. */
export function canReceive(blocks: readonly DriverBlock[]): boolean {
  return blocks.every((block) => block === 'debt')
}

/** True for an approved driver whose switch is on: a new driver is switched on, but goes online only once approved. */
export function isOnline({
  driverActiveStatus,
  approved,
}: Pick<DriverState, 'driverActiveStatus' | 'approved'>): boolean {
  return driverActiveStatus && approved
}

/** True for reasons that last until an admin changes the account. */
export function isOfAccount(block: DriverBlock): block is 'not_approved' | 'no_car_type' {
  return block === 'not_approved' || block === 'no_car_type'
}

/** Interval at which the device of a driver without a trip reports its position, ms. */
export const freeReportMs = 3_000

/** The server's last state of a driver; the switch is the device's. `fetchedAt` is in epoch ms on the device's clock. */
export interface FetchedState extends Pick<DriverState, 'driverActiveStatus' | 'approved'> {
  blocked: readonly DriverBlock[]
  fetchedAt: number
}

/**
 * All reasons that block requests now, as the driver's device knows them, in the order of `driverBlocks`. `fixedSince` is
 * when the device found its position (epoch ms on its clock), or null without one. The server's `no_location` counts from
 * one report interval after that: earlier, the server cannot know the position yet.
 */
export function currentBlocks(state: FetchedState, fixedSince: number | null): DriverBlock[] {
  const isExpected = fixedSince !== null && state.fetchedAt < fixedSince + freeReportMs
  const isUnlocated = fixedSince === null || (state.blocked.includes('no_location') && !isExpected)
  return driverBlocks.filter((block) => {
    if (block === 'offline') return !isOnline(state)
    if (block === 'no_location') return isOnline(state) && isUnlocated
    return state.blocked.includes(block)
  })
}
