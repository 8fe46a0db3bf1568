import { Redis } from 'ioredis'

export interface RedisFacts {
  /** Such as `Redis 7.0.15` or `Valkey 8.1.0`. */
  version: string
  /** Of Redis, or the one that Valkey is compatible with. */
  major: number
  /** The median of a few round trips, ms. */
  latencyMs: number
}

const patienceMs = 3_000
const pings = 5

/** Asks a Redis server whether it can do what servers need of it: publish, and run scripts. Throws with its reason. */
export async function askRedis(url: string): Promise<RedisFacts> {
  const redis = new Redis(url, {
    protocol: 2,
    lazyConnect: true,
    connectTimeout: patienceMs,
    commandTimeout: patienceMs,
    retryStrategy: null,
  })
  let reason: Error | undefined
  redis.on('error', (error: Error) => (reason = error))
  try {
    await redis.connect()
    const facts = await redis.info('server')
    const field = (name: string) => new RegExp(`^${name}:(\\S+)`, 'm').exec(facts)?.[1]
    await redis.publish('hansom:doctor', '')
    await redis.eval('return 1', 0)
    const times = []
    for (let ping = 0; ping < pings; ping++) {
      const askedAt = performance.now()
      await redis.ping()
      times.push(performance.now() - askedAt)
    }
    const valkey = field('valkey_version')
    const compatible = field('redis_version') ?? '0'
    return {
      version: valkey === undefined ? `Redis ${compatible}` : `Valkey ${valkey}`,
      major: Number(compatible.split('.')[0]),
      latencyMs: times.sort((one, other) => one - other)[Math.floor(pings / 2)] ?? 0,
    }
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}
