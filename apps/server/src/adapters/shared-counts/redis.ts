import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { Redis } from 'ioredis'
import type { SharedCounts } from './port.ts'

export interface RedisCountsOptions {
  url: string
  /** Installations that share a Redis server have different prefixes. */
  prefix: string
  log: { warn(facts: object, text: string): void }
  /** A server that has not renewed its sign of life for this time does not count, ms. */
  aliveMs?: number
}

/** A request does not wait longer for a count, ms. */
const patienceMs = 500
const openMs = 2_000
/** What is open is announced at this interval, and forgotten after a longer time. */
const [announceMs, forgetMs] = [600_000, 3_600_000]
const ownersAtOnce = 500

const addScript = `
local count = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { count, left }`

// A hash of each owner has how many each server has open. ARGV: prefix of the signs of life, this server, how many it has
// open with this one, the limit, ms until the hash is forgotten.
const openScript = `
local all = redis.call('HGETALL', KEYS[1])
local others = 0
for at = 1, #all, 2 do
  if all[at] ~= ARGV[2] then
    if redis.call('EXISTS', ARGV[1] .. all[at]) == 1 then others = others + all[at + 1]
    else redis.call('HDEL', KEYS[1], all[at]) end
  end
end
if others + ARGV[3] > tonumber(ARGV[4]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[5])
return 1`

interface Scripts {
  hansomAdd(key: string, parts: number, windowMs: number): Promise<[number, number]>
  hansomOpen(key: string, alive: string, id: string, own: number, limit: number, ms: number): Promise<number>
}

/**
 * Counts in Redis or Valkey. Each expires; losing them all only starts every window again. Connects, for at most two seconds:
 * a server that starts goes on counting where the others are.
 */
export async function redisCounts(options: RedisCountsOptions): Promise<SharedCounts> {
  const { url, prefix, log, aliveMs = 2_000 } = options
  const newId = () => randomBytes(6).toString('base64url')
  /** A new one after each absence: what Redis still has of the one before no longer counts. */
  let id = newId()
  /** When its last sign of life that got through was sent. */
  let aliveAt = Number.NEGATIVE_INFINITY
  const [alive, windows, owners] = ['alive', 'window', 'open'].map((kind) => `${prefix}:${kind}:`) as [
    string,
    string,
    string,
  ]
  /** What this server has open. */
  const own = new Map<string, number>()
  /** False from a failure until a sign of life got through: requests do not wait for a Redis that is silent. */
  let isUp = false
  const redis = new Redis(url, {
    protocol: 2,
    // What cannot be counted in common now is counted here.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    retryStrategy: (times) => Math.min(500, 50 * times),
  }) as Redis & Scripts
  redis.defineCommand('hansomAdd', { numberOfKeys: 1, lua: addScript })
  redis.defineCommand('hansomOpen', { numberOfKeys: 1, lua: openScript })
  redis.on('error', () => {})

  async function ask<T>(question: () => Promise<T>): Promise<T | null> {
    if (!isUp) return null
    try {
      return await within(patienceMs, question())
    } catch (err) {
      if (isUp) log.warn({ err }, 'cannot count together with the other servers, each counts for itself')
      isUp = false
      return null
    }
  }

  /** Writes how many these owners have open here. */
  async function announce(some: readonly string[]): Promise<void> {
    const commands = redis.pipeline()
    for (const owner of some) {
      const count = own.get(owner)
      if (count === undefined) void commands.hdel(owners + owner, id)
      else void commands.hset(owners + owner, id, count).pexpire(owners + owner, forgetMs)
    }
    await commands.exec()
  }
  /** Repeats what is open: Redis may have lost it. */
  async function announceAll(): Promise<void> {
    const all = [...own.keys()]
    try {
      for (let from = 0; from < all.length; from += ownersAtOnce)
        await announce(all.slice(from, from + ownersAtOnce))
    } catch {
      // It is repeated when Redis is back.
    }
  }
  const beat = async () => {
    const sentAt = performance.now()
    // This process may have paused until the others took it for dead.
    const wasAway = !isUp || sentAt - aliveAt > aliveMs
    const next = wasAway ? newId() : id
    try {
      await within(patienceMs, redis.set(alive + next, 1, 'PX', aliveMs))
      aliveAt = sentAt
      if (!wasAway) return
      redis.del(alive + id).catch(() => {})
      id = next
      isUp = true
      void announceAll()
    } catch {
      isUp = false
    }
  }
  const ready = new Promise<void>((resolve) => redis.on('ready', () => void beat().then(resolve)))
  const timers = [
    setInterval(() => void beat(), aliveMs / 4),
    setInterval(() => void announceAll(), announceMs),
  ]
  for (const timer of timers) timer.unref()
  await Promise.race([ready, wait(openMs, undefined, { ref: false })])

  const drop = (owner: string) => {
    const left = (own.get(owner) ?? 0) - 1
    if (left > 0) own.set(owner, left)
    else own.delete(owner)
  }

  return {
    async add(key, windowMs, parts) {
      const askedAt = performance.now()
      const answer = await ask(() => redis.hansomAdd(windows + key, parts, windowMs))
      if (answer === null) return null
      const [count, left] = answer
      return { count, leftMs: Math.max(1, left - (performance.now() - askedAt)) }
    },
    async open(owner, limit) {
      const count = (own.get(owner) ?? 0) + 1
      own.set(owner, count)
      const answer = await ask(() => redis.hansomOpen(owners + owner, alive, id, count, limit, forgetMs))
      if (answer !== 0) return answer === null ? null : true
      drop(owner)
      return false
    },
    close(owner) {
      drop(owner)
      void ask(() => announce([owner]))
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
      redis.disconnect()
    },
  }
}

/** Rejects when `work` takes longer than `ms`. What arrived while this process was busy is read first. */
async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${ms} ms`))
    timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
