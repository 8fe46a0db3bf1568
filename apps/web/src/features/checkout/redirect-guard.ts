const inPage = new Set<string>()
const keyOf = (payment: string) => `hansom-led-on:${payment}`

/** True if this window was already sent to the provider for the payment: a Back must not pay again. */
export function wasLedOn(payment: string): boolean {
  try {
    return inPage.has(payment) || sessionStorage.getItem(keyOf(payment)) !== null
  } catch {
    return inPage.has(payment)
  }
}

/** Stores it until the window is closed. */
export function rememberLedOn(payment: string): void {
  inPage.add(payment)
  try {
    sessionStorage.setItem(keyOf(payment), '1')
  } catch {
    // Storage is unavailable: remembered until the page is closed.
  }
}
