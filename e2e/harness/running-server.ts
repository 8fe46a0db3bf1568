import { inject } from 'vitest'
import { launchServer, type RunningServer } from './server-process.ts'

export type { RunningServer }

/**
 * Starts a server for a journey: a demo on a copy of the seeded city, or with NODE_ENV=production an empty service.
 * Throws with its output when it does not respond.
 */
export function startServer(env: Record<string, string> = {}): Promise<RunningServer> {
  return launchServer(env, env.NODE_ENV === 'production' ? null : inject('seededCity'))
}
