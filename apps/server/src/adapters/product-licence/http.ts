import { z } from 'zod'
import { readLimited } from '../read-limited.ts'
import type { Licence, LicenceAnswer } from './port.ts'

export interface HttpLicenceOptions {
  url: string
  /** The installation's name at the service. */
  project: string
  timeoutMs?: number
}

const answer = z.object({ success: z.boolean() })
/** An answer is a line; what is longer is none. */
const longestAnswer = 100_000

/** Asks a licence service by POST {projectId, createTime, reqType, license}; it answers {success}. */
export function httpLicence({ url, project, timeoutMs = 5_000 }: HttpLicenceOptions): Licence {
  return {
    asked: true,
    check: async ({ reqType, license, createTime }) => {
      const body = JSON.stringify({ projectId: project, createTime, reqType, license })
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'application/json' },
          body,
          signal: AbortSignal.timeout(timeoutMs),
          redirect: 'error',
        })
        return read(response.status, await readLimited(response, longestAnswer))
      } catch {
        return 'no_answer'
      }
    },
  }
}

function read(status: number, text: string | null): LicenceAnswer {
  // A service in trouble has decided nothing, whatever it says.
  if (status >= 500 || text === null) return 'no_answer'
  const parsed = answer.safeParse(parseJson(text))
  if (!parsed.success) return 'no_answer'
  return parsed.data.success && status < 300 ? 'good' : 'refused'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
