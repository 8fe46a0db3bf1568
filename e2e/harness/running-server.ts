import { inject } from 'vitest'
import { launchServer, type RunningServer } from './server-process.ts'

export type { RunningServer }

/**
 * Starts a server for a journey: a demo on a copy of the city that was made once for all journeys, or with
 * NODE_ENV=production a service that has nothing yet. Throws with its output when it does not answer.
 */
export function startServer(env: Record<string, string> = {}): Promise<RunningServer> {
  return launchServer(env, env.NODE_ENV === 'production' ? null : inject('seededCity'))
}
