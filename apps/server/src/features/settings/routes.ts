import type { Clock } from '../../platform/clock/clock.ts'
import type { Os } from '../../platform/http/implement.ts'
import type { SettingsService } from './service.ts'

export function settingsRoutes(os: Os, settings: SettingsService, clock: Clock) {
  return {
    get: os.settings.get.handler(() => settings.publicView()),
    clock: os.settings.clock.handler(() => ({ now: clock.now(), speed: clock.speed })),
  }
}
