import { inject } from 'vitest'
import { launchServer, type RunningServer } from './server-process.ts'

export type { RunningServer }

/**
 * Starts a server for a journey: a demo on a copy of the seeded city, which is a taxi city except in the project
 * `delivery-e2e`; with CATEGORY a demo of its own, and with NODE_ENV=production an empty service. Throws with its output when it does not respond.
 */
export function startServer(env: Record<string, string> = {}): Promise<RunningServer> {
  const startsEmpty = env.NODE_ENV === 'production' || env.CATEGORY !== undefined
  return launchServer(env, startsEmpty ? null : inject('seededCity'))
}
