import { createHash } from 'node:crypto'
import { ApiError } from '@hansom/client/api-error'
import { beginsWithZeros, workText } from '@hansom/domain/accounts/attempts'
import { expect, it, vi } from 'vitest'
import { withWork } from './phone-proof.ts'

const order = { challenge: 'signed', parts: 3, bits: 6 }
const refusal = (key: ApiError['key']) => new ApiError(key, 428, { data: { ...order } })

it('request refused until work is done -> sent once more, with the work', async () => {
  const send = vi.fn().mockRejectedValueOnce(refusal('proof_of_work_needed')).mockResolvedValueOnce('sent')
  expect(await withWork(send)).toBe('sent')
  const sent = send.mock.calls[1]?.[0] as { work: { nonces: number[] } } | undefined
  expect(sent?.work.nonces).toHaveLength(3)
  sent?.work.nonces.forEach((nonce, part) => {
    const digest = createHash('sha256')
      .update(workText('signed', part, nonce))
      .digest()
    expect(beginsWithZeros(digest, 6)).toBe(true)
  })
})

it('request refused for another reason, or refused twice -> throws the refusal', async () => {
  const other = vi.fn().mockRejectedValue(refusal('too_many_requests'))
  await expect(withWork(other)).rejects.toThrow('too_many_requests')
  expect(other).toHaveBeenCalledTimes(1)
  const again = vi.fn().mockRejectedValue(refusal('proof_of_work_needed'))
  await expect(withWork(again)).rejects.toThrow('proof_of_work_needed')
  expect(again).toHaveBeenCalledTimes(2)
})
