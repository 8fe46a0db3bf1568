import { createHash } from 'node:crypto'
import { beginsWithZeros, type Work, type WorkOrder, workText } from '@hansom/domain/accounts/attempts'
import { desc, eq } from 'drizzle-orm'
import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import { mailboxTable } from '../../platform/mailbox/table.ts'
import type { TestApp } from '../../test-app.ts'

/** Sends a POST from a chosen IP address. */
export function poster(app: () => TestApp) {
  return (
    url: string,
    payload: object,
    { headers = {}, from = '10.1.0.1' }: { headers?: Record<string, string>; from?: string } = {},
  ) => app().server.inject({ method: 'POST', url, payload, headers, remoteAddress: from })
}

export const outcome = (answer: LightMyRequestResponse) => [answer.statusCode, answer.json().error]

/** Returns the value of one cookie set by a response, as a browser would send it back. */
export function cookieIn(answer: LightMyRequestResponse, name: string): string {
  const all = [answer.headers['set-cookie'] ?? []].flat()
  return all.findLast((text) => text.startsWith(`${name}=`))?.split(';', 1)[0] ?? ''
}

/** Waits until `count` messages went to an email address or phone number, and returns the latest. */
export async function sentTo(app: TestApp, to: string, count = 1) {
  const read = () =>
    app.database.db.select().from(mailboxTable).where(eq(mailboxTable.to, to)).orderBy(desc(mailboxTable.id))
  await expect.poll(async () => (await read()).length, { timeout: 10_000 }).toBe(count)
  const [latest] = await read()
  if (latest === undefined) throw new Error('nothing was sent')
  return latest
}

export function tokenIn(message: { params: Record<string, string> }): string {
  return new URL(message.params.link ?? '').searchParams.get('token') ?? ''
}

/** Sends a request, and repeats it with the proof of work when the response demands one. */
export async function withWork(
  send: (more: { work?: Work }) => Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse> {
  const asked = await send({})
  if (asked.statusCode !== 428) return asked
  return send({ work: workFor(asked.json().data as WorkOrder) })
}

export function workFor({ challenge, parts, bits }: WorkOrder): Work {
  const nonceOf = (part: number) => {
    for (let nonce = 0; ; nonce += 1) {
      const digest = createHash('sha256')
        .update(workText(challenge, part, nonce))
        .digest()
      if (beginsWithZeros(digest, bits)) return nonce
    }
  }
  return { challenge, nonces: Array.from({ length: parts }, (_, part) => nonceOf(part)) }
}
