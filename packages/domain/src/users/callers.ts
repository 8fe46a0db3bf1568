/** A rider with a caller's number. */
export interface NumberHolder {
  /** Has no account: the office has booked for this number before. */
  guest: boolean
  /** The account has proven the number by a code. */
  proven: boolean
}

/** 0 for the account that has proven the number, 1 for the guest, 2 for an account that may have a stranger's number. */
function uncertainty({ guest, proven }: NumberHolder): number {
  if (guest) return 1
  return proven ? 0 : 2
}

/** The riders with a number, the most certain first. */
export function inCallerOrder<R extends NumberHolder>(riders: readonly R[]): R[] {
  return riders.toSorted((one, other) => uncertainty(one) - uncertainty(other))
}

/** The rider who is chosen by the number alone; null if that would be a guess. */
export function callerOf<R extends NumberHolder>(riders: readonly R[]): R | null {
  const [first] = inCallerOrder(riders)
  return first !== undefined && uncertainty(first) < 2 ? first : null
}
