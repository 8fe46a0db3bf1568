import { ApiError } from '@hansom/client/api-error'
import { beginsWithZeros, type Work, type WorkOrder, workText } from '@hansom/domain/accounts/attempts'

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

/** Digests per batch: few enough that the page stays responsive between batches. */
const batch = 64
const sliceMs = 12

/**
 * Sends a request. If the server demands proof of work, computes it and sends the request once more. It takes a
 * fraction of a second, in slices that keep the page responsive. Throws what the request throws.
 */
export async function withWork<T>(send: (more: { work?: Work }) => Promise<T>): Promise<T> {
  try {
    return await send({})
  } catch (error) {
    if (!(error instanceof ApiError && error.key === 'proof_of_work_needed')) throw error
    // Without HTTPS the browser has no digest API.
    if (globalThis.crypto?.subtle === undefined) throw error
    return send({ work: await workFor(error.data as unknown as WorkOrder) })
  }
}

/** Computes the proof for a work order. */
export async function workFor({ challenge, parts, bits }: WorkOrder): Promise<Work> {
  const nonces: number[] = []
  let sliceStart = performance.now()
  for (let part = 0; part < parts; part += 1) {
    for (let first = 0; nonces.length === part; first += batch) {
      const found = await firstValid(challenge, part, first, bits)
      if (found !== null) nonces.push(found)
      if (performance.now() - sliceStart > sliceMs) {
        await new Promise((resume) => setTimeout(resume))
        sliceStart = performance.now()
      }
    }
  }
  return { challenge, nonces }
}

const encoder = new TextEncoder()

async function firstValid(
  challenge: string,
  part: number,
  first: number,
  bits: number,
): Promise<number | null> {
  const digests = await Promise.all(
    Array.from({ length: batch }, (_, index) =>
      crypto.subtle.digest('SHA-256', encoder.encode(workText(challenge, part, first + index))),
    ),
  )
  const index = digests.findIndex((digest) => beginsWithZeros(new Uint8Array(digest), bits))
  return index === -1 ? null : first + index
}
