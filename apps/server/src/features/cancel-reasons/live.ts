import type { TopicRegistry } from '../../platform/live/topics.ts'
import { type CancelReasonsService, cancelReasonsChannel } from './service.ts'

/** Registers the live topic of the cancel reasons that riders choose from. */
export function registerCancelReasonsTopic(topics: TopicRegistry, cancelReasons: CancelReasonsService): void {
  topics.register('cancelReasons', {
    isShared: true,
    authorize: async () => ({ channel: cancelReasonsChannel }),
    snapshot: () => cancelReasons.all(),
  })
}
