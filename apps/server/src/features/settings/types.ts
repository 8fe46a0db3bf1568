import type { Settings } from '@hansom/domain/settings/settings'

/** All settings with the number of their last change. */
export type CurrentSettings = Settings & { version: number }
