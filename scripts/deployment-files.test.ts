import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { environment } from '../apps/server/src/config/environment.ts'
import { loadConfig } from '../apps/server/src/config.ts'
import { findServerFolder } from '../apps/server/src/platform/database/migrate.ts'
import { generateKeys } from '../apps/server/src/platform/secrets/vapid-keys.ts'
import { root } from './run.mjs'

const read = (file: string) => readFileSync(`${root}/${file}`, 'utf8')
const known = Object.keys(environment.shape)
const { publicKey, privateKey } = generateKeys()
/** What an operator fills in. */
const secrets: Record<string, string> = {
  PUBLIC_URL: 'https://rides.example',
  POSTGRES_PASSWORD: 'a-password',
  DATABASE_URL: 'postgresql://hansom:a-password@database.example/hansom',
  REDIS_URL: 'rediss://redis.example:6379',
  AUTH_SECRET: 'x'.repeat(64),
  VAPID_PUBLIC_KEY: publicKey,
  VAPID_PRIVATE_KEY: privateKey,
  METRICS_TOKEN: 'x'.repeat(32),
  STORAGE_S3_KEY: 'key',
  STORAGE_S3_SECRET: 'secret',
}
/** Replaces `${NAME:?...}` as Compose does. */
const filled = (text: string) =>
  text.replace(/\$\{(\w+)(:\?[^}]*)?\}/g, (_all, name: string) => secrets[name] ?? `missing ${name}`)

const dockerfile = read('Dockerfile')
const ofImage = Object.fromEntries(
  (/^ENV (.+)$/m.exec(dockerfile)?.[1] ?? '').split(' ').map((pair) => pair.split('=') as [string, string]),
)

/** Fails for a variable that the server does not know, or that it refuses. */
function expectConfigured(variables: Record<string, string>) {
  expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([])
  const config = loadConfig({ ...ofImage, ...variables }, '/hansom')
  expect(config).toMatchObject({
    production: true,
    demo: false,
    host: '0.0.0.0',
    port: 8080,
    dataDir: '/data',
  })
  expect(config.redisUrl && config.databaseUrl && config.authSecret && config.vapidKeys).toBeTruthy()
  expect(config.trustedProxies).not.toEqual([])
}

test('Dockerfile -> runs scripts and programs that exist, without root', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const asked = [...dockerfile.matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name)
  expect(asked).not.toEqual([])
  for (const name of asked) expect(scripts).toHaveProperty([name])
  const program = /^CMD \[.*"apps\/server\/dist\/(\w+)\.js"\]$/m.exec(dockerfile)?.[1]
  expect(existsSync(`${root}/apps/server/src/${program}.ts`)).toBe(true)
  expect(read('scripts/build.mjs')).toContain(`'${program}'`)
  expect(dockerfile.lastIndexOf('USER node')).toBeGreaterThan(dockerfile.lastIndexOf('FROM '))
  expect(Object.keys(ofImage).filter((name) => !known.includes(name))).toEqual([])
})

test('image -> only what runs, nothing of a file with secrets', () => {
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/hansom(\S*) (\S+)$/gm)].map(
    ([, from = '']) => from,
  )
  for (const needed of [
    '/node_modules',
    '/apps/server/dist',
    '/apps/server/package.json',
    '/apps/web/dist',
    `/${relative(root, findServerFolder('migrations'))}`,
    `/${relative(root, findServerFolder('sql'))}`,
    '/packages/domain/src/languages/packs',
  ])
    expect(copied).toContain(needed)
  expect(copied).toHaveLength(7)
  // Packages of one workspace only would lie in its own folder.
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: object }
  expect(Object.keys(packages).filter((name) => /^(apps|packages)\/.*\/node_modules\//.test(name))).toEqual(
    [],
  )
  expect(read('.dockerignore').split('\n')).toEqual(expect.arrayContaining(['**/.env*', '**/*.env']))
  expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['.env*', '*.env']))
})

test('base image -> a Node that the product supports', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } }
  const oldest = Number(/\d+/.exec(engines.node)?.[0])
  const bases = [...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, version]) => Number(version))
  expect(bases).toHaveLength(2)
  for (const version of bases) expect(version).toBeGreaterThanOrEqual(oldest)
})

test('compose.yaml -> three servers with a configuration that the server accepts, and a balancer that finds them', () => {
  const { services, configs, volumes, networks } = parse(filled(read('compose.yaml')))
  const { server, balancer } = services
  expectConfigured(server.environment)
  expect(server.deploy.replicas).toBe(3)
  for (const service of Object.keys(server.depends_on))
    expect(services[service]).toHaveProperty('healthcheck')
  for (const url of ['DATABASE_URL', 'REDIS_URL'])
    expect(Object.keys(services)).toContain(new URL(server.environment[url]).hostname)
  expect(new URL(server.environment.DATABASE_URL).password).toBe(
    services.postgres.environment.POSTGRES_PASSWORD,
  )
  expect(networks.inside.ipam.config).toEqual([{ subnet: server.environment.TRUSTED_PROXIES }])
  const settings = configs[balancer.configs[0].source].content
  for (const needed of ['GET /healthz', 'option forwardfor', 'server:8080'])
    expect(settings).toContain(needed)
  expect(settings).toMatch(/timeout http-request \d+s/)
  for (const service of Object.values<{ volumes?: string[] }>(services))
    for (const mount of service.volumes ?? []) expect(Object.keys(volumes)).toContain(mount.split(':')[0])
})

test('docs/kubernetes -> a configuration that the server accepts, probes that it answers', () => {
  const documents = parseAllDocuments(read('docs/kubernetes/hansom.yaml'))
  expect(documents.flatMap(({ errors }) => errors)).toEqual([])
  const all = documents.map((document) => document.toJS())
  const one = (kind: string) => all.find((object) => object.kind === kind)
  const { spec } = one('Deployment')
  const [server] = spec.template.spec.containers
  const fromSecret = server.env.map(
    ({ name, valueFrom }: { name: string; valueFrom: { secretKeyRef: { key: string } } }) => {
      expect(valueFrom.secretKeyRef.key).toBe(name)
      return [name, secrets[name]]
    },
  )
  expectConfigured({ ...one('ConfigMap').data, ...Object.fromEntries(fromSecret) })
  const health = read('apps/server/src/platform/http/availability.ts')
  for (const probe of [server.startupProbe, server.readinessProbe]) {
    expect(health).toContain(`server.get('${probe.httpGet.path}'`)
    expect(server.ports.map(({ name }: { name: string }) => name)).toContain(probe.httpGet.port)
  }
  expect(server.ports[0].containerPort).toBe(8080)
  expect(server.volumeMounts[0].mountPath).toBe(ofImage.DATA_DIR)
  for (const { selector } of [spec, one('PodDisruptionBudget').spec])
    expect(selector.matchLabels).toEqual(spec.template.metadata.labels)
  expect(one('Service').spec.selector).toEqual(spec.template.metadata.labels)
  expect(server.lifecycle.preStop).toBeDefined()
  // Servers of two versions must not run side by side.
  expect(spec.strategy).toEqual({ type: 'Recreate' })
  expect(server.image).toMatch(/^hansom:\d+\.\d+\.\d+$/)
})
