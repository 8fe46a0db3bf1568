import { typedAmount } from '../../ui/typed-amount.ts'

/** The fee that was typed; nothing is 0, and null stands for what is no fee. */
export function typedFee(text: string, rules: Parameters<typeof typedAmount>[1]): number | null {
  const fee = typedAmount(text, rules)
  if (fee > 0) return fee
  return /^[\s0٠.,]*$/.test(text) ? 0 : null
}
