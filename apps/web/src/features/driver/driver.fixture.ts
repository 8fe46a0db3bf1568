import type { BookingView } from '@hansom/contract/bookings'
import type { PublicSettings } from '@hansom/contract/settings'
import common from '@hansom/domain/languages/packs/en/common.json'
import driver from '@hansom/domain/languages/packs/en/driver.json'
import error from '@hansom/domain/languages/packs/en/error.json'
import trip from '@hansom/domain/languages/packs/en/trip.json'
import { startLanguage } from '../../lib/i18n.ts'
import { storeSettings } from '../../lib/settings.ts'

/** English texts and settings for the console's components. */
export function startConsole(settings: Partial<PublicSettings> = {}): void {
  const packs = { common, driver, error, trip }
  startLanguage(
    {
      langName: 'English',
      langLocale: 'en',
      dateLocale: 'en',
      default: true,
      direction: 'ltr',
      keyValuePairs: Object.fromEntries(
        Object.entries(packs).flatMap(([group, texts]) =>
          Object.entries(texts).map(([name, words]) => [`${group}.${name}`, words]),
        ),
      ),
    },
    [],
  )
  storeSettings({
    symbol: '$',
    decimal: 0,
    swipe_symbol: false,
    convert_to_mile: false,
    timezone: 'America/Montevideo',
    category: 'taxi',
    CarHornRepeat: false,
    version: 1,
    ...settings,
  } as PublicSettings)
}

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
