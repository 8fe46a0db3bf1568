/** For so long after a trip its rider, driver and fleet admin see each other's pictures, ms: lost things, complaints. */
export const sharedPhotoMs = 30 * 24 * 60 * 60_000
