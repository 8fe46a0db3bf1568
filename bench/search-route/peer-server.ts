import { setFlagsFromString } from 'node:v8'
import rateLimit from '@fastify/rate-limit'
import Fastify from 'fastify'
import { Redis } from 'ioredis'
import pg from 'pg'
import {
  findSession,
  signedTokenOf,
  verifiedToken,
} from '../../apps/server/src/features/accounts/find-session.ts'

/**
 * The nearest free cars with plain Fastify and Redis: the session, the limit and the input are checked as in ours, then Redis
 * finds the 40 nearest eligible drivers and returns what is known of them. Arguments: address of PostgreSQL, of Redis, secret.
 */
// As in ours.
setFlagsFromString('--no-allocation-site-pretenuring')
const [databaseUrl, redisUrl = '', secret = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const redis = new Redis(redisUrl, { protocol: 2 })
const freshMs = 120_000
const server = Fastify({ trustProxy: '127.0.0.1' })
await server.register(rateLimit, {
  max: 1_800,
  timeWindow: 60_000,
  keyGenerator: ({ headers, ip }) => verifiedToken(signedTokenOf(headers, '') ?? '', secret) ?? ip,
})

const coordinate = (limit: number) => ({ type: 'number', minimum: -limit, maximum: limit })
const querystring = {
  type: 'object',
  required: ['lat', 'lng'],
  properties: { lat: coordinate(90), lng: coordinate(180) },
}
const car = {
  type: 'object',
  properties: {
    lat: { type: 'number' },
    lng: { type: 'number' },
    bearing: { type: ['number', 'null'] },
    car_type_id: { type: 'string' },
  },
}
const options = { schema: { querystring, response: { 200: { type: 'array', items: car } } } }
server.get<{ Querystring: { lat: number; lng: number } }>('/cars', options, async (request, reply) => {
  const token = verifiedToken(signedTokenOf(request.headers, '') ?? '', secret)
  const session = token === null ? null : await findSession(pool, token, false)
  if (session === null) return reply.code(401).send()
  const { lat, lng } = request.query
  // Free drivers only are in the set. Some more than needed, as a few may not have been heard from for a while.
  const found = (await redis.call(
    ...(['GEOSEARCH', 'free-drivers', 'FROMLONLAT', lng, lat, 'BYRADIUS', 5, 'km', 'ASC', 'COUNT', 50].map(
      String,
    ) as [string, ...string[]]),
  )) as string[]
  if (found.length === 0) return []
  const facts = await redis.hmget('drivers', ...found)
  const since = Date.now() - freshMs
  return facts
    .flatMap((text) => {
      const driver = text && JSON.parse(text)
      return driver && driver.heardAt > since ? [driver] : []
    })
    .slice(0, 40)
})
const address = await server.listen({ host: '127.0.0.1', port: 0 })
process.send?.({ port: Number(new URL(address).port) })
process.on('disconnect', () => process.exit(0))
