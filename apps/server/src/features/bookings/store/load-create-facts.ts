import { outstandingOf } from '@hansom/domain/bookings/amounts'
import type { CreateFacts } from '@hansom/domain/bookings/new-booking'
import type { Promo, WantedPromo } from '@hansom/domain/fare/promo'
import type { Pool } from 'pg'
import type { CountedRider, RiderCounts } from './apply-decision.ts'
import {
  nameOf,
  type RiderOwes,
  ratingOf,
  readRiderOwes,
  riderOwes,
  type UserFacts,
} from './read-bookings.ts'

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

interface CreateFactsRow {
  customer: UserFacts | null
  owes: RiderOwes | null
  car_type: CreateFacts['carType']
  promo: Promo | null
  counts: RiderCounts
  kept: LoadedCreateFacts['kept']
}

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
  const reply = await pool.query<CreateFactsRow>({
    name: 'booking-create-facts',
    text: `select (select to_jsonb(u) from user_facts u where u.id = $1 and u.deleted_at is null) as customer,
      (select ${riderOwes} from user_facts c where c.id = $1) as owes,
      (select to_jsonb(t) from car_type_facts t where t.id = $2 and not t.is_archived) as car_type,
      to_jsonb(promo) as promo, rider_counts($1, $5, promo.id) as counts,
      (select jsonb_build_object('body_hash', i.body_hash, 'booking', i.result_id)
        from idempotency_keys i where i.scope = $4) as kept
      from (select) one left join usable_promos promo on promo.promo_name = $3::citext`,
    values: [lookup.customer, lookup.car_type_id, lookup.promo?.trim() ?? null, lookup.scope, lookup.due],
  })
  const row = reply.rows[0] as CreateFactsRow
  return {
    customer: row.customer && customerFacts(row.customer),
    outstanding: row.owes ? outstandingOf(readRiderOwes(row.owes)) : 0,
    riderRating: row.customer && ratingOf(row.customer),
    carType: row.car_type,
    promo: row.promo && { ...row.promo, used_by_rider: row.counts.promo_uses },
    counts: row.counts,
    kept: row.kept,
  }
}

function customerFacts(user: UserFacts): CreateFacts['customer'] {
  return {
    id: user.id,
    usertype: user.usertype,
    approved: user.approved,
    name: nameOf(user),
    contact: user.mobile,
    email: user.email,
    image: user.profile_image,
    walletBalance: user.wallet_balance,
  }
}
