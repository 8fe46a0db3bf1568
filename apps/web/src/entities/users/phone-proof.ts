const storageKey = 'hansom-phone-proof'

/**
 * Stores the proof for a code until the link from the email is opened in this browser, possibly in another tab. Null
 * removes it.
 */
export function storePhoneProof(proof: string | null): void {
  try {
    if (proof === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, proof)
  } catch {
    // Storage is unavailable: the user can still sign in by password.
  }
}

export function storedPhoneProof(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}
