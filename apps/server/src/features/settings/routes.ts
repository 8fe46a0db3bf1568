import { definedFields } from '@hansom/domain/defined'
import type { Clock } from '../../platform/clock/clock.ts'
import { type Os, signedIn } from '../../platform/http/implement.ts'
import { registerShared, type TopicRegistry } from '../../platform/live/topics.ts'
import type { LicenceCheck, RateConverter, SettingsService } from './service.ts'

export function settingsRoutes(
  os: Os,
  settings: SettingsService,
  clock: Clock,
  licence: LicenceCheck,
  rates: RateConverter,
) {
  return {
    get: os.settings.get.handler(() => settings.publicView()),
    all: os.settings.all.handler(() => settings.all(licence)),
    update: os.settings.update
      .use(signedIn)
      .handler(({ context, input: { version, license, convertUnits, ...values } }) => {
        const edit = { version, values: definedFields(values), license, convertUnits }
        return settings.change(context.actor.id, edit, licence, rates)
      }),
    clock: os.settings.clock.handler(() => ({ now: clock.now(), speed: clock.speed })),
  }
}

/** Registers the topic of the public settings, and publishes every change. */
export function registerSettingsTopic(
  topics: TopicRegistry,
  hub: { publish(channel: string, data: unknown): void },
  settings: SettingsService,
): void {
  settings.onChange(registerShared(topics, hub, 'settings', () => settings.publicView()))
}
