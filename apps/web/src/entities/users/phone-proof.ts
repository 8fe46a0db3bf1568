const storageKey = 'hansom-phone-proof'

/**
 * Keeps what the server gave for a code, until the link from the mailbox is opened: perhaps in another tab, but in this
 * browser. Null forgets it.
 */
export function keepPhoneProof(proof: string | null): void {
  try {
    if (proof === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, proof)
  } catch {
    // Storage is closed to us: the password is the other way.
  }
}

export function keptPhoneProof(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
