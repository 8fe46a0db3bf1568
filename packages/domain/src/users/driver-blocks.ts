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
