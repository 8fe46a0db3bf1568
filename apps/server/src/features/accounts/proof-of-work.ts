import { createHash } from 'node:crypto'
import {
  beginsWithZeros,
  type Work,
  type WorkOrder,
  workBits,
  workParts,
  workText,
} from '@hansom/domain/accounts/attempts'
import { Refusal } from '@hansom/domain/error-keys'
import type { Clock } from '../../platform/clock/clock.ts'
import type { Attempts } from './attempts.ts'
import { randomToken, type Secrets, sealed, unsealed } from './secrets.ts'

const livesMs = 10 * 60_000
const purpose = 'work order'

/** Demands proof of work before a code is sent to a number: cheap for a person, expensive for a bot that sends many. */
export interface ProofOfWork {
  /**
   * Throws proof_of_work_needed, with a new challenge as data, unless the work for that number was done. Work counts
   * once.
   */
  check(mobile: string, work: Work | undefined): Promise<void>
}

export function createProofOfWork(
  secrets: Secrets,
  attempts: Attempts,
  clock: Clock,
  bits = workBits,
): ProofOfWork {
  const isDone = ({ challenge, nonces }: Work) =>
    nonces.length === workParts &&
    nonces.every((nonce, part) =>
      beginsWithZeros(
        createHash('sha256')
          .update(workText(challenge, part, nonce))
          .digest(),
        bits,
      ),
    )
  return {
    check: async (mobile, work) => {
      const order =
        work === undefined
          ? null
          : unsealed<{ id: string; mobile: string }>(secrets, purpose, work.challenge, clock.now())
      const isRight = order?.mobile === mobile && work !== undefined && isDone(work)
      // Only the first use counts.
      if (isRight && (await attempts.count('work', order.id)) === 1) return
      const challenge = sealed(secrets, purpose, { id: randomToken(), mobile }, clock.now() + livesMs)
      const data: WorkOrder = { challenge, parts: workParts, bits }
      throw new Refusal('proof_of_work_needed', { data: { ...data } })
    },
  }
}
