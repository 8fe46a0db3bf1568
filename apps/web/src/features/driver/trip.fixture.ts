import type { BookingView } from '@hansom/contract/bookings'

/** A trip as its driver sees it; amounts are 10^-4 of the currency unit. */
export function tripOf(changes: Partial<BookingView> = {}): BookingView {
  return {
    id: 'b',
    booking_id: 'T96UM9',
    version: 1,
    status: 'ACCEPTED',
    viewer: 'driver',
    commands: [],
    customer_name: 'Ana Torres',
    customerRating: 5,
    customer_contact: null,
    pickup: { lat: -34.9, lng: -56.19, add: 'Ejido 1275' },
    drop: { lat: -34.91, lng: -56.2, add: 'Teatro Solís' },
    pickupAddress: 'Ejido 1275',
    dropAddress: 'Teatro Solís',
    carType: 'Economy',
    estimateDistance: 2,
    estimateTime: 600,
    payment_mode: 'cash',
    trip_cost: 1_380_000,
    driver_share: 1_250_000,
    discount_amount: 0,
    payableAmount: 1_380_000,
    collect: null,
    cash_answer: null,
    objection: null,
    cashPaymentAmount: 0,
    outstanding_collected: 0,
    prepaid: false,
    cancellation_fee: 0,
    cancelledBy: null,
    reason: null,
    rider_rating: null,
    otp_needed: false,
    otp_blocked_until: null,
    bookLater: false,
    tripdate: Date.now(),
    request: null,
    ...changes,
  } as BookingView
}

/** A delivery with a pickup and some drops, none reported. */
export function deliveryOf(drops: number): NonNullable<BookingView['delivery']> {
  const people = ['Sam Sender', 'Ada Lee', 'Ben Sosa', 'Cleo Paz']
  const stop = (n: number) => ({
    n,
    kind: n === 0 ? ('pickup' as const) : ('drop' as const),
    place: { lat: -34.9 - n / 100, lng: -56.19, add: n === 0 ? 'Ejido 1275' : `Street ${n}` },
    person: people[n] ?? `Person ${n}`,
    phone: `+59899000${n}`,
    instructions: n === 1 ? 'Ring twice' : null,
    window_from: n === 2 ? Date.UTC(2026, 0, 1, 15) : null,
    window_to: n === 2 ? Date.UTC(2026, 0, 1, 17) : null,
    planned_at: Date.UTC(2026, 0, 1, 14, n),
    share: 0,
    collect: null,
    code: null,
    code_needed: false,
    code_blocked_until: null,
    outcome: null,
    failure: null,
    done_at: null,
    received_by: null,
    unsigned: false,
    photo: null,
    signature: null,
  })
  return {
    stop_order: 'given',
    cash_at: null,
    return_leg: { distanceKm: 2, durationS: 300, cost: 500_000 },
    stops: Array.from({ length: drops + 1 }, (_, n) => stop(n)),
  } as NonNullable<BookingView['delivery']>
}
