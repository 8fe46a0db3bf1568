import type { BookingView } from '@hansom/contract/bookings'
import { PinLayer } from './pin-layer.tsx'

/** The drop of a trip, or all drops of a delivery, numbered if there are several. */
export function StopPins({ view }: { view: Pick<BookingView, 'delivery' | 'drop' | 'dropAddress'> }) {
  if (!view.delivery) return <PinLayer kind="drop" point={view.drop} address={view.dropAddress} />
  const drops = view.delivery.stops.filter(({ kind }) => kind === 'drop')
  return drops.map(({ n, place }) => (
    <PinLayer
      key={n}
      kind="drop"
      number={drops.length > 1 ? n : undefined}
      point={place}
      address={place.add}
    />
  ))
}
