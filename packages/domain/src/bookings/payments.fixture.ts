import { Refusal } from '../error-keys.ts'
import type { Promo } from '../fare/promo.ts'
import { unit } from '../money/amount.ts'
import { sumOf } from '../wallet/ledger.ts'
import { minute, start } from './booking.fixture.ts'
import type { Booking } from './booking.ts'
import { decide } from './decide.ts'
import type { Decision } from './decision.ts'
import type { CommandInput, Facts } from './facts.ts'

export const now = start + 30 * minute
export const u = (amount: number) => amount * unit

export function decided(facts: Facts, input: CommandInput): Decision {
  const answer = decide(facts, input, now)
  if (answer instanceof Refusal) throw answer
  return answer
}
export function refused(facts: Facts, input: CommandInput): string | undefined {
  const answer = decide(facts, input, now)
  return answer instanceof Refusal ? answer.key : answer.refused?.key
}
/** The effect of a decision on each account, in currency units; unchanged accounts are left out. */
export function moved({ entries }: Decision): Record<string, number> {
  const accounts = new Set(entries.flatMap((entry) => entry.legs.map((leg) => leg.account)))
  const sums = [...accounts].map((account) => [account, sumOf(entries, account) / unit] as const)
  return Object.fromEntries(sums.filter(([, sum]) => sum !== 0))
}
export const kinds = ({ effects }: Decision) => effects.map((effect) => effect.kind)
export const promo: Promo = {
  id: 'p',
  promo_name: 'TWENTY',
  promo_discount_type: 'flat',
  promo_discount_value: u(20),
  max_promo_discount_value: 0,
  min_order: u(100),
  promo_validity: now + 1,
  promo_usage_limit: 1,
  user_avail: 0,
}
export const withPromo: Partial<Booking> = {
  discount_amount: u(20),
  promo_applied: true,
  promo_id: 'p',
  promo_details: promo,
  payableAmount: u(90),
}
