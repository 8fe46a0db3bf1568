import { z } from 'zod'
import { readLimited } from '../read-limited.ts'
import type { Licence, LicenceResult } from './port.ts'

export interface HttpLicenceOptions {
  url: string
  /** The id of this installation at the service. */
  project: string
  timeoutMs?: number
}

const answer = z.object({ success: z.boolean() })
/** Maximum response length in bytes; a longer response is invalid. */
const longestAnswer = 100_000

/** Calls a licence service: POST {projectId, createTime, reqType, license}; the response is {success}. */
export function httpLicence({ url, project, timeoutMs = 5_000 }: HttpLicenceOptions): Licence {
  return {
    isConfigured: true,
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

function read(status: number, text: string | null): LicenceResult {
  // A 5xx response is never a decision, even if its body contains one.
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

/** For an installation without a licence service: every check passes. */
export const noLicence: Licence = { isConfigured: false, check: async () => 'good' }
