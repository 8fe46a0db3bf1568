import type { TopicRegistry } from '../../platform/live/topics.ts'
import { type CarTypesService, carTypesChannel, carTypeView } from './service.ts'

/** Registers the live topic of the car types that riders choose from. */
export function registerCarTypesTopic(topics: TopicRegistry, carTypes: Pick<CarTypesService, 'list'>): void {
  topics.register('carTypes', {
    isShared: true,
    authorize: async () => ({ channel: carTypesChannel }),
    snapshot: async () => (await carTypes.list()).map(carTypeView),
  })
}
