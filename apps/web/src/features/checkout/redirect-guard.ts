const inPage = new Set<string>()
const keyOf = (payment: string) => `hansom-led-on:${payment}`

/** Whether this window has already been sent to the provider for the payment: history's way back must not pay again. */
export function wasLedOn(payment: string): boolean {
  try {
    return inPage.has(payment) || sessionStorage.getItem(keyOf(payment)) !== null
  } catch {
    return inPage.has(payment)
  }
}

/** Remembers it, for as long as the window lives. */
export function rememberLedOn(payment: string): void {
  inPage.add(payment)
  try {
    sessionStorage.setItem(keyOf(payment), '1')
  } catch {
    // Storage is closed to us: the page remembers it until it is left.
  }
}
