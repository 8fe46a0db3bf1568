import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askRedis } from './adapters/server-bus/ask-redis.ts'
import { findOwnRedis, redisProgram, startOwnRedis } from './adapters/server-bus/own-redis.ts'
import { hasRedis, startTestRedis } from './adapters/server-bus/test-redis.ts'
import { examine } from './doctor.ts'
import { markCluster, openControl, unmarkCluster } from './platform/cluster/control.ts'
import { createTestDatabase, type TestDatabase } from './platform/database/test-database.ts'
import { hasPooler, startTestPooler } from './platform/database/test-pooler.ts'
import { installJobs } from './platform/jobs/jobs.ts'
import { silentLog } from './platform/log/log.ts'
import { generateKeys } from './platform/secrets/vapid-keys.ts'
import { vapid } from './test-app.ts'

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hansom-doctor-'))
  database = await createTestDatabase()
  await installJobs(database)
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

const password = 'hunter2hunter2'
type Given = Partial<Parameters<typeof examine>[0]> & { variables?: Record<string, string> }

/** What the doctor says about a setup, by level. */
async function diagnosis({ variables = {}, ...given }: Given = {}) {
  const findings = await examine({
    variables: {
      NODE_ENV: 'production',
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      ...variables,
    },
    workingFolder: folder,
    nodeVersion: '20.19.0',
    oldestNode: '20.19',
    maps: () => ({ used: ['montevideo'], unusable: [] }),
    redis: askRedis,
    ownRedis: { program: undefined, find: async () => null },
    ...given,
  })
  const of = (level: string) => findings.filter((one) => one.level === level).map(({ text }) => text)
  for (const { text } of findings) expect(text).not.toContain(password)
  return { ok: of('ok'), warnings: of('warning'), problems: of('problem') }
}

test('sound setup -> nothing to mend; what is not set up is a warning', async () => {
  const { ok, warnings, problems } = await diagnosis()
  expect(problems).toEqual([])
  expect(ok.join('\n')).toMatch(
    /Node 20.19.0[^]*for production[^]*belongs to this version[^]*ledger is consistent/,
  )
  expect(warnings.join('\n')).toMatch(/SMTP_URL[^]*SMS_KEY[^]*payment/)
})

test('no replica at DATABASE_REPLICA_URL, no answer at it -> a problem, and what is read instead', async () => {
  for (const url of [database.url, 'postgresql://none@127.0.0.1:1/none']) {
    const { problems } = await diagnosis({ variables: { DATABASE_REPLICA_URL: url } })
    expect(problems.join()).toMatch(/replica at DATABASE_REPLICA_URL[^]*read from the database/)
  }
})

test.skipIf(!hasPooler)('no time limits behind a pooler -> the statements that set them', async () => {
  const pooler = await startTestPooler(database.url, 2)
  const alone = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url }
  const variables = { ...several(1), ...alone }
  try {
    expect((await diagnosis({ variables: alone })).problems).toEqual([])
    const { problems } = await diagnosis({ variables })
    expect(problems.join()).toMatch(/no time limit[^]*alter role .* set statement_timeout = 15000;/)
    const [statements = ''] = /alter role.*/.exec(problems.join()) ?? []
    await database.pool.query(statements.split(',')[0] ?? '')
    await pooler.ask('reconnect')
    expect((await diagnosis({ variables })).ok.join()).toContain('have a time limit')
  } finally {
    await pooler.close()
  }
})

test('DATABASE_DIRECT_URL without a pooler, or of another database -> no limits asked for, or named', async () => {
  const variables = { ...several(1), DATABASE_DIRECT_URL: database.url }
  expect((await diagnosis({ variables })).problems.join()).not.toContain('time limit')
  const other = await createTestDatabase({ empty: true })
  const { problems } = await diagnosis({ variables: { DATABASE_DIRECT_URL: other.url } })
  expect(problems.join()).toContain('lead to different databases')
  await other.close()
})

test('no installation yet -> nothing to mend, and nothing is created', async () => {
  const variables = { DATABASE_URL: '', DATA_DIR: join(folder, 'later', 'data') }
  const { ok, problems } = await diagnosis({ variables })
  expect(problems).toEqual([])
  expect(ok).toContainEqual(expect.stringContaining('will be created'))
  expect(ok).toContainEqual(expect.stringContaining('first start'))
  await expect(mkdir(join(folder, 'later'))).resolves.toBeUndefined()
})

test('folder of a stopped cluster -> it makes the common secrets itself, and needs a Redis program', async () => {
  const dataDir = await mkdtemp(join(folder, 'cluster-'))
  const variables = { DATA_DIR: dataDir, DATABASE_URL: '', REDIS_URL: 'redis://127.0.0.1:1' }
  expect((await diagnosis({ variables })).problems.join()).toContain('need the same AUTH_SECRET')
  await markCluster(dataDir)
  const { ok, problems } = await diagnosis({ variables })
  expect(problems).toEqual([expect.stringContaining('Redis at 127.0.0.1:1 cannot be used')])
  expect(ok.join()).toContain('with npm run cluster')

  const own = { variables: { DATA_DIR: dataDir } }
  expect((await diagnosis(own)).problems).toEqual([expect.stringContaining('Install redis-server')])
  const ownRedis = { program: 'redis-server', find: findOwnRedis }
  expect((await diagnosis({ ...own, ownRedis })).ok.join()).toContain('its start also starts redis-server')
  // With a wrong variable, it is unknown which Redis the cluster uses.
  expect((await diagnosis({ variables: { ...variables, PORT: 'x' } })).problems).toEqual([
    expect.stringContaining('PORT'),
  ])
  // A server that is alone has used the folder since.
  await unmarkCluster(dataDir)
  expect((await diagnosis(own)).problems).toEqual([])
})

test.skipIf(redisProgram === undefined)(
  'folder of a running cluster -> its Redis is examined; one that is away -> a problem, and where to look',
  async () => {
    const dataDir = await mkdtemp(join(folder, 'cluster-'))
    await markCluster(dataDir)
    const control = await openControl(dataDir, async () => {})
    const redis = await startOwnRedis(dataDir, silentLog())
    const given = {
      variables: { DATA_DIR: dataDir },
      ownRedis: { program: redisProgram, find: findOwnRedis },
    }
    const { ok, warnings, problems } = await diagnosis(given)
    expect(problems).toEqual([])
    expect(ok.join('\n')).toMatch(/(Redis|Valkey) [\d.]+ at 127.0.0.1:\d+ answers in [\d.]+ ms/)
    expect([...ok, ...warnings].join()).not.toContain(new URL(redis.url).password)
    const { port } = new URL(redis.url)
    await redis.stop()
    expect((await diagnosis(given)).warnings.join()).toContain('has not started')
    await writeFile(join(dataDir, 'redis.json'), JSON.stringify({ port: Number(port), password }))
    expect((await diagnosis(given)).problems).toEqual([expect.stringContaining("Look at the cluster's log")])
    await new Promise((resolve) => control.close(resolve))
  },
)

test.each([
  ['Node 18', { nodeVersion: '18.20.4' }, /Node 18.20.4 is too old/],
  ['Node 20.9', { nodeVersion: '20.9.0' }, /install 20.19/],
  ['port without a number', { variables: { PORT: 'eighty' } }, /PORT must be/],
  ['short secret', { variables: { AUTH_SECRET: password } }, /AUTH_SECRET must have at least 32/],
  ['half of mail', { variables: { SMTP_URL: `smtp://me:${password}@mail.example` } }, /MAIL_FROM/],
  ['map of another version', { maps: () => ({ used: ['x'], unusable: ['x'] }) }, /maps:import/],
  [
    'database that does not answer',
    { variables: { DATABASE_URL: `postgresql://me:${password}@127.0.0.1:1/rides` } },
    /No database responds at 127.0.0.1:1/,
  ],
] as [string, Given, RegExp][])('%s -> one problem that says what to do', async (_case, given, expected) => {
  const { problems } = await diagnosis(given)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(expected)
})

test('several wrong variables -> each named, and the rest is examined', async () => {
  const { ok, problems } = await diagnosis({
    variables: { PORT: 'x', LOG_LEVEL: 'loud', AUTH_SECRET: password },
  })
  expect(problems).toHaveLength(3)
  expect(ok).toContainEqual(expect.stringContaining('ledger is consistent'))
})

test('keys of push that are no pair -> problem; secrets missing with REDIS_URL -> only that is said of them', async () => {
  const { publicKey } = generateKeys()
  const other = await diagnosis({ variables: { ...several(1), VAPID_PUBLIC_KEY: publicKey } })
  expect(other.problems).toContainEqual(expect.stringContaining('are not a key pair'))

  const { REDIS_URL } = several(1)
  const { ok, warnings, problems } = await diagnosis({ variables: { REDIS_URL } })
  expect(problems.join()).toMatch(/need the same AUTH_SECRET[^]*need the same VAPID_PRIVATE_KEY/)
  expect([...ok, ...warnings].join()).not.toMatch(/auth-secret|vapid-keys|not set up/)
})

test('data folder below a file, damaged secrets -> problems', async () => {
  await writeFile(join(folder, 'file'), '')
  const below = await diagnosis({ variables: { DATA_DIR: join(folder, 'file', 'data') } })
  expect(below.problems).toContainEqual(expect.stringContaining('is not writable'))

  const dataDir = join(folder, 'damaged')
  await mkdir(dataDir)
  await writeFile(join(dataDir, 'auth-secret'), password, { mode: 0o600 })
  await writeFile(join(dataDir, 'vapid-keys.json'), `{"privateKey":"${password}`, { mode: 0o600 })
  const { problems } = await diagnosis({ variables: { DATA_DIR: dataDir } })
  expect(problems).toEqual([
    expect.stringMatching(/auth-secret is damaged.*signed out/),
    expect.stringMatching(/vapid-keys.json is damaged.*notifications/),
  ])
  await writeFile(join(dataDir, 'vapid-keys.json'), JSON.stringify({ ...vapid, publicKey: 'x' }))
  expect((await diagnosis({ variables: { DATA_DIR: dataDir } })).problems).toContainEqual(
    expect.stringContaining('vapid-keys.json is damaged'),
  )
  await writeFile(join(dataDir, 'auth-secret'), 's'.repeat(43))
  await chmod(join(dataDir, 'auth-secret'), 0o644)
  const { warnings } = await diagnosis({ variables: { DATA_DIR: dataDir } })
  expect(warnings).toContainEqual(expect.stringContaining('chmod 600'))
})

test('port of another program -> problem; of a Hansom -> fine', async () => {
  let body = 'hello'
  const server = createServer((_request, response) => void response.end(body))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const variables = { PORT: String((server.address() as AddressInfo).port) }
  const other = await diagnosis({ variables })
  expect(other.problems).toEqual([expect.stringContaining('Another program uses the port')])
  body = JSON.stringify({ ok: false, state: 'standing by' })
  const { ok, problems } = await diagnosis({ variables })
  expect(problems).toEqual([])
  expect(ok).toContainEqual(expect.stringContaining('it is standing by'))
  await new Promise((resolve) => server.close(resolve))
})

test('failed work, broken ledger -> problems; a job that waits long while a server runs -> problem', async () => {
  const { pool } = database
  await pool.query(
    `insert into parked_events (id, at, kind, payload, error, failing_since) values (1, 1, 'x', '{}', 'e', 1)`,
  )
  await pool.query(`select pgboss.create_queue('late', '{"policy":"short"}')`)
  await pool.query(
    `insert into pgboss.job (name, start_after) values ('late', now() - interval '10 minutes')`,
  )
  for (const table of ['ledger_entries', 'ledger_legs'])
    await pool.query(`alter table ${table} disable trigger user`)
  await pool.query(
    `insert into ledger_entries (id, at, kind, key, currency) values (gen_random_uuid(), 1, 'adjustment', 'k', 'UYU')`,
  )
  await pool.query(
    `insert into ledger_legs (entry_id, position, account, amount) select id, 1, 'cash', 5 from ledger_entries`,
  )
  const { problems } = await diagnosis()
  expect(problems.join('\n')).toMatch(/ledger has [1-9]\d* differences/)
  expect(problems.join('\n')).toMatch(/1 events and 0 jobs have failed/)
  // The pool of this test counts as a server.
  expect(problems.join('\n')).toMatch(/Jobs are overdue by 6\d\d s/)
})

test('database of an older or a newer version -> warning to back up; problem', async () => {
  const { pool } = database
  await pool.query(
    `delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`,
  )
  expect((await diagnosis()).warnings).toContainEqual(expect.stringContaining('1 migrations'))
  await pool.query(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9999999999999)`,
  )
  expect((await diagnosis()).problems).toEqual([
    expect.stringContaining('A newer version has used this database'),
  ])
})

const several = (port: number) => ({
  AUTH_SECRET: password.repeat(3),
  VAPID_PUBLIC_KEY: vapid.publicKey,
  VAPID_PRIVATE_KEY: vapid.privateKey,
  REDIS_URL: `redis://:${password}@127.0.0.1:${port}`,
})

test.each([
  [{ version: 'Redis 7.0.15', major: 7, latencyMs: 0.31 }, 'ok', 'answers in 0.3 ms'],
  [{ version: 'Valkey 8.1.0', major: 7, latencyMs: 12 }, 'warnings', 'Run it close to the servers'],
  [
    { version: 'Redis 5.0.3', major: 5, latencyMs: 1 },
    'problems',
    'Redis 5.0.3 at 127.0.0.1:6380 is too old',
  ],
] as const)('%o -> %s', async (facts, level, text) => {
  const found = await diagnosis({ variables: several(6380), redis: async () => facts })
  expect(found[level].join('\n')).toContain(text)
})

test.skipIf(!hasRedis)(
  'Redis that answers -> its version and time; one that does not -> how to mend it',
  async () => {
    const redis = await startTestRedis()
    const { ok } = await diagnosis({
      variables: { ...several(redis.port), REDIS_URL: `redis://127.0.0.1:${redis.port}` },
    })
    expect(ok.join('\n')).toMatch(/(Redis|Valkey) [\d.]+ at 127.0.0.1:\d+ answers in [\d.]+ ms/)
    await redis.close()
    const { problems } = await diagnosis({ variables: several(redis.port) })
    expect(problems.join('\n')).toMatch(/Redis at 127.0.0.1:\d+ cannot be used: .*ECONNREFUSED/)
  },
)
