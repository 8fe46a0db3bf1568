import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'

const patienceMs = 1_500

/** `GET /healthz`: 200 while this server is serving and the database responds, otherwise 503. */
export function mountHealth(
  server: FastifyInstance,
  database: Database,
  isServing: () => boolean,
  perMinute: number,
): void {
  const config = { rateLimit: { max: perMinute, groupId: 'health' } }
  let asking: Promise<boolean> | null = null
  /** Concurrent requests share one database query. */
  const ask = () => {
    asking ??= databaseAnswers(database).finally(() => {
      asking = null
    })
    return asking
  }
  server.get('/healthz', { config }, async (_request, reply) => {
    const answers = await ask()
    const ok = answers && isServing()
    return reply
      .status(ok ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        ok,
        state: isServing() ? 'serving' : 'standing by',
        database: answers ? 'answers' : 'does not answer',
      })
  })
}

async function databaseAnswers(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const patience = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), patienceMs)
  })
  const asked = database.pool.query('select 1').then(
    () => true,
    () => false,
  )
  try {
    return await Promise.race([asked, patience])
  } finally {
    clearTimeout(timer)
  }
}
