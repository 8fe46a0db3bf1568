import type { Clock } from '../../platform/clock/clock.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import type { LicenceCheck, SettingsService } from './service.ts'

export function settingsRoutes(os: Os, settings: SettingsService, clock: Clock, licence: LicenceCheck) {
  return {
    get: os.settings.get.handler(() => settings.publicView()),
    all: os.settings.all.handler(() => settings.all(licence)),
    update: os.settings.update
      .use(signedIn)
      .handler(({ context, input: { version, license, ...values } }) =>
        settings.change(context.viewer.uid, { version, values, license }, licence),
      ),
    clock: os.settings.clock.handler(() => ({ now: clock.now(), speed: clock.speed })),
  }
}
