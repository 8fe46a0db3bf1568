import { beginsWithZeros, type Work, type WorkOrder, workText } from '@hansom/domain/accounts/proof-of-work'
import { ApiError } from './api-error.ts'

/** So many digests are asked for at once: few enough that the page goes on moving between two turns. */
const batch = 64
const turnMs = 12

/**
 * Sends a request; when the server asks for work first, does the work and sends it once more. Nobody sees it: it takes a
 * fraction of a second, in turns between which the page answers. Throws what the request throws.
 */
export async function withWork<T>(send: (more: { work?: Work }) => Promise<T>): Promise<T> {
  try {
    return await send({})
  } catch (error) {
    if (!(error instanceof ApiError && error.key === 'proof_of_work_needed')) throw error
    // Where the page did not come by https, the browser has no digests.
    if (globalThis.crypto?.subtle === undefined) throw error
    return send({ work: await workFor(error.data as unknown as WorkOrder) })
  }
}

/** Does what an order asks for. */
export async function workFor({ challenge, parts, bits }: WorkOrder): Promise<Work> {
  const nonces: number[] = []
  let turnBegan = performance.now()
  for (let part = 0; part < parts; part += 1) {
    for (let first = 0; nonces.length === part; first += batch) {
      const found = await firstRight(challenge, part, first, bits)
      if (found !== null) nonces.push(found)
      if (performance.now() - turnBegan > turnMs) {
        await new Promise((goOn) => setTimeout(goOn))
        turnBegan = performance.now()
      }
    }
  }
  return { challenge, nonces }
}

const encoder = new TextEncoder()

async function firstRight(
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
