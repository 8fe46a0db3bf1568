import type { Settings } from '@hansom/domain/settings/settings'

/** All settings with their version. */
export type CurrentSettings = Settings & { version: number }
