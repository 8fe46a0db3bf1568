import { liveTopics } from '@hansom/contract/live'
import { channelName, type TopicRegistry } from '../../platform/live/topics.ts'
import type { SettingsService } from './service.ts'

const channel = channelName(liveTopics.settings, 'everybody')

/** Registers the topic of the public settings, and publishes every change. */
export function registerSettingsTopic(
  topics: TopicRegistry,
  hub: { publish(channel: string, data: unknown): void },
  settings: SettingsService,
): void {
  topics.register('settings', {
    isShared: true,
    authorize: async () => ({ channel }),
    snapshot: () => settings.publicView(),
  })
  settings.onChange((_changed, view) => hub.publish(channel, view))
}
