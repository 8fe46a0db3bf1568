/** The simulator's configuration, from the environment. */
export interface SimulatorConfig {
  /** URL of the running server, e.g. http://127.0.0.1:8080 */
  url: string
  /** Shared password of the simulated accounts; random per installation. */
  password: string
  drivers: number
  riders: number
}

/** Reads the configuration from the environment. Throws when a variable is missing or invalid. */
export function readConfig(env: Record<string, string | undefined>): SimulatorConfig {
  const url = env.HANSOM_URL
  const password = env.SIM_PASSWORD
  if (!url || !password) throw new Error('The simulator needs HANSOM_URL and SIM_PASSWORD.')
  return {
    url: url.replace(/\/$/, ''),
    password,
    drivers: count(env.DEMO_DRIVERS, 40),
    riders: count(env.DEMO_RIDERS, 6),
  }
}

function count(text: string | undefined, otherwise: number): number {
  const value = Number(text ?? otherwise)
  if (!Number.isInteger(value) || value < 0 || value > 1000)
    throw new Error(`Not a valid number of users: ${text}`)
  return value
}
