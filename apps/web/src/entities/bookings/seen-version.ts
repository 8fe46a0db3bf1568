import { useState } from 'react'

/**
 * The version of a booking to send with a command about its driver. It follows the booking until that gets another
 * driver: the user decided about the first one, and the server refuses the older version.
 */
export function useSeenVersion({ driver, version }: { driver: string | null; version: number }): number {
  const [seen, setSeen] = useState({ driver, version })
  if (driver !== seen.driver || version <= seen.version) return seen.version
  setSeen({ driver, version })
  return version
}
