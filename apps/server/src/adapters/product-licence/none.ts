import type { Licence } from './port.ts'

/** An installation that needs no licence: nothing is asked, and nothing locks. */
export const noLicence: Licence = { asked: false, check: async () => 'good' }
