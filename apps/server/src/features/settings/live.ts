import { liveTopics } from '@hansom/contract/live'
import { channelName, type TopicRegistry } from '../../platform/live/topics.ts'
import type { SettingsService } from './service.ts'

const channel = channelName(liveTopics.settings, 'everybody')

/** The topic of the public settings: every change is told to everybody who follows it. */
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
