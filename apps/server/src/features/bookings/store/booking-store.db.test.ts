import { unit } from '@hansom/domain/money/amount'
import { uuidv7 } from 'uuidv7'
import { createTestCity } from '../booking-city.fixture.ts'
import { bookingStoreSuite } from './booking-store.suite.ts'
import { bookingStore } from './booking-store.ts'

bookingStoreSuite('PostgreSQL', async () => {
  const city = await createTestCity({ jobs: false })
  const { pool } = city.database
  let count = 0
  return {
    store: bookingStore(pool),
    carType: city.carType,
    add: (usertype, wallet_balance = 0) =>
      usertype === 'driver' ? city.addDriver() : city.addRider({ wallet_balance }),
    async addPromo() {
      const name = `PROMO${count++}`
      await pool.query(
        `insert into promos (id, promo_name, promo_discount_type, promo_discount_value, max_promo_discount_value, min_order,
            promo_validity, promo_usage_limit, created_at)
          values ($1, $2, 'flat', $3, 0, 0, 9e15, 1, 0)`,
        [uuidv7(), name, 10 * unit],
      )
      return name
    },
    async history(booking) {
      const { rows } = await pool.query<{ line: string }>(
        `select command || ' ' || to_status as line from booking_events where booking_id = $1 order by version`,
        [booking],
      )
      return rows.map(({ line }) => line)
    },
    balance: (user) => city.balance({ id: user, role: 'rider', approved: true }),
    close: async () => {
      await city.close()
      await city.database.close()
    },
  }
})
