import { useIdle } from '../../lib/use-idle.ts'
import { partOnDemand } from '../../ui/lazy-part.tsx'

const PushCard = partOnDemand('push', async () => (await import('./push-card.tsx')).PushCard)

/**
 * The card that offers notifications, loaded after everything that the page needs first; never by a touch, whose target it would
 * move.
 */
export function PushOffer({ reason }: { reason: 'trip' | 'requests' }) {
  return useIdle() ? <PushCard reason={reason} /> : null
}
