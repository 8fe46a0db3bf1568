import type { CreateFacts } from '@hansom/domain/bookings/create-facts'
import { outstandingOf } from '@hansom/domain/bookings/outstanding'
import type { Promo, WantedPromo } from '@hansom/domain/fare/promo'
import { averageRating } from '@hansom/domain/users/rating'
import type { Pool } from 'pg'
import { rowJson } from '../../../platform/database/columns.ts'
import type { CarTypeRow } from '../../car-types/service.ts'
import { carTypesTable } from '../../car-types/table.ts'
import { promosTable } from '../../promos/table.ts'
import { type UserRow, usersTable } from '../../users/table.ts'
import { carTypeFacts } from '../car-type-facts.ts'
import type { CountedRider, RiderCounts } from './application.ts'
import { type RiderOwes, readRiderOwes, riderOwes } from './rider-owes.ts'

/** Facts from the database for a new booking. */
export interface LoadedCreateFacts {
  customer: CreateFacts['customer']
  riderRating: number | null
  /** The customer's outstanding amount. */
  outstanding: number
  carType: CreateFacts['carType']
  promo: WantedPromo | null
  counts: RiderCounts
  /** The booking that the idempotency key has already created. */
  kept: { body_hash: string; booking: string } | null
}

export interface CreateLookup {
  customer: string | null
  car_type_id: string
  promo: string | null
  /** Latest tripdate for which later trips are dispatched. */
  due: number
  /** Scope of the idempotency key. */
  scope: string | null
}

interface FactsRow {
  customer: object | null
  owes: RiderOwes | null
  car_type: object | null
  promo: object | null
  counts: RiderCounts
  kept: LoadedCreateFacts['kept']
}

const userJson = rowJson<UserRow>(usersTable)
const carTypeJson = rowJson<CarTypeRow>(carTypesTable)
const promoJson = rowJson<Promo>(promosTable)

/** A rider's open bookings and their uses or reservations of a promo, for a commit that requires them unchanged. */
export async function countForPromo(pool: Pool, customer: string, promo: string): Promise<CountedRider> {
  const due = 0
  const { rows } = await pool.query<{ counts: RiderCounts }>('select rider_counts($1, $2, $3) as counts', [
    customer,
    due,
    promo,
  ])
  const { counts } = rows[0] as { counts: RiderCounts }
  return { customer, due, promo, counts }
}

/** Loads the facts in one statement. */
export async function loadCreateFacts(pool: Pool, lookup: CreateLookup): Promise<LoadedCreateFacts> {
  const reply = await pool.query<FactsRow>({
    name: 'booking-create-facts',
    text: `select (select to_jsonb(u) from users u where u.id = $1 and u.deleted_at is null) as customer,
      (select ${riderOwes} from users c where c.id = $1) as owes,
      (select to_jsonb(t) from car_types t where t.id = $2 and t.archived_at is null) as car_type,
      to_jsonb(promo) as promo, rider_counts($1, $5, promo.id) as counts,
      (select jsonb_build_object('body_hash', i.body_hash, 'booking', i.result_id)
        from idempotency_keys i where i.scope = $4) as kept
      from (select) one left join promos promo on promo.promo_name = $3::citext and promo.archived_at is null`,
    values: [lookup.customer, lookup.car_type_id, lookup.promo?.trim() ?? null, lookup.scope, lookup.due],
  })
  const row = reply.rows[0] as FactsRow
  const user = row.customer && userJson.read(row.customer)
  return {
    customer: user && customerFacts(user),
    outstanding: row.owes ? outstandingOf(readRiderOwes(row.owes)) : 0,
    riderRating: user && user.rating_count > 0 ? averageRating(user.rating_sum, user.rating_count) : null,
    carType: row.car_type && carTypeFacts(carTypeJson.read(row.car_type)),
    promo: row.promo && { ...promoJson.read(row.promo), used_by_rider: row.counts.promo_uses },
    counts: row.counts,
    kept: row.kept,
  }
}

function customerFacts(user: UserRow): CreateFacts['customer'] {
  return {
    id: user.id,
    usertype: user.usertype,
    name: `${user.firstName} ${user.lastName}`.trim(),
    contact: user.mobile,
    email: user.email,
    image: user.profile_image,
    walletBalance: user.walletBalance,
  }
}
