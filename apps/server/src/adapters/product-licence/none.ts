import type { Licence } from './port.ts'

/** For an installation without a licence service: every check passes. */
export const noLicence: Licence = { isConfigured: false, check: async () => 'good' }
