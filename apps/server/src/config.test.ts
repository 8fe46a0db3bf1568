import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { variableNames } from './config/environment.ts'
import { ConfigError, loadConfig } from './config.ts'

const load = (variables: Record<string, string>) => loadConfig(variables, '/srv/hansom')

function problemsOf(variables: Record<string, string>): string[] {
  try {
    load(variables)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('loadConfig', () => {
  test('empty environment -> demo defaults', () => {
    expect(load({})).toMatchObject({
      demo: true,
      production: false,
      host: '127.0.0.1',
      port: 8080,
      portGiven: false,
      dataDir: '/srv/hansom/data',
      databaseUrl: undefined,
      demoSpeed: 1,
      demoDrivers: 40,
      category: 'taxi',
    })
  })

  test('variables given -> used; empty variable -> unset', () => {
    const config = load({
      PORT: '9000',
      DATA_DIR: '/var/rides',
      DEMO: 'off',
      PUBLIC_URL: 'https://rides.example/',
      AUTH_SECRET: '',
    })
    expect(config).toMatchObject({ port: 9000, portGiven: true, dataDir: '/var/rides' })
    expect(config.publicUrl).toBe('https://rides.example')
    expect(config.authSecret).toBeUndefined()
  })

  test('TRUSTED_PROXIES: IP addresses and networks -> accepted; anything else -> problem', () => {
    expect(load({}).trustedProxies).toEqual([])
    expect(load({ DEMO: 'off', TRUSTED_PROXIES: '10.0.0.5, fd00::/8' }).trustedProxies).toEqual([
      '10.0.0.5',
      'fd00::/8',
    ])
    for (const TRUSTED_PROXIES of [
      'true',
      'proxy.example',
      '10.0.0.0/33',
      '0.0.0.0/0',
      '10.0.0.5,',
      '::/0',
    ]) {
      expect(problemsOf({ TRUSTED_PROXIES })[0], TRUSTED_PROXIES).toContain(
        'must be IP addresses or networks',
      )
    }
  })

  test('NODE_ENV=production -> no demo, any HOST with a PUBLIC_URL', () => {
    const given = { NODE_ENV: 'production', HOST: '0.0.0.0' }
    expect(load({ ...given, PUBLIC_URL: 'https://rides.test' })).toMatchObject({
      demo: false,
      host: '0.0.0.0',
    })
    expect(problemsOf(given)).toEqual([expect.stringContaining('PUBLIC_URL is not set')])
    expect(load({ NODE_ENV: 'production' }).publicUrl).toBeUndefined()
  })

  test.each(['0.0.0.0', '::', '192.168.1.4'])('demo with HOST %s -> problem', (HOST) => {
    expect(problemsOf({ HOST })[0]).toContain('NODE_ENV=production')
    expect(problemsOf({ HOST, NODE_ENV: 'production', DEMO: 'on' })[0]).toContain('this machine only')
  })

  test('demo with a PUBLIC_URL of another machine or with proxies -> problem', () => {
    expect(problemsOf({ PUBLIC_URL: 'https://rides.example' })).toEqual([
      expect.stringContaining('serves this machine only'),
    ])
    for (const PUBLIC_URL of ['http://localhost:9000', 'http://[::1]:9000', 'http://127.0.0.1'])
      expect(problemsOf({ PUBLIC_URL })).toEqual([])
    expect(problemsOf({ TRUSTED_PROXIES: '10.0.0.5' })).toEqual([expect.stringContaining('no proxy')])
  })

  test('several invalid values -> all reported with the value', () => {
    const problems = problemsOf({
      PORT: '80a',
      LOG_LEVEL: 'loud',
      CATEGORY: 'boat',
      DEMO: 'maybe',
      DEMO_SPEED: '0',
    })
    expect(problems).toHaveLength(5)
    expect(problems[0]).toBe('PORT must be a whole number from 0 to 65535 (it is "80a")')
  })

  test('invalid secret -> reported without the value', () => {
    const problems = problemsOf({ DATABASE_URL: 'mysql://root:hunter2@db/x', AUTH_SECRET: 'hunter2' })
    expect(problems).toHaveLength(2)
    expect(problems.join()).not.toContain('hunter2')
  })

  test('DEMO_SPEED outside the demo -> problem', () => {
    expect(load({ DEMO_SPEED: '10' }).demoSpeed).toBe(10)
    expect(problemsOf({ DEMO_SPEED: '10', DEMO: 'off' })).toHaveLength(1)
  })

  test('no external services configured -> null for each', () => {
    expect(load({})).toMatchObject({ mail: null, sms: null, licence: null, objectStorage: null })
  })

  const services = {
    SMTP_URL: 'smtps://rides:pw@mail.example:465',
    MAIL_FROM: 'Rides <rides@rides.example>',
    SMS_KEY: 'abc',
    SMS_SECRET: 'def',
    SMS_FROM: 'Rides',
    STORAGE_S3_BUCKET: 'ride-files',
    STORAGE_S3_REGION: 'sa-east-1',
    STORAGE_S3_KEY: 'ghi',
    STORAGE_S3_SECRET: 'jkl',
    LICENCE_URL: 'https://licence.example/check',
    LICENCE_PROJECT: 'rides',
  }

  test('complete variables of each external service -> used', () => {
    expect(load({ ...services, STORAGE_S3_ENDPOINT: 'http://minio:9000' })).toMatchObject({
      mail: { smtpUrl: services.SMTP_URL, from: services.MAIL_FROM },
      sms: { url: undefined, key: 'abc', secret: 'def', from: 'Rides' },
      licence: { url: services.LICENCE_URL, project: 'rides' },
      objectStorage: {
        bucket: 'ride-files',
        region: 'sa-east-1',
        endpoint: 'http://minio:9000',
        key: 'ghi',
        secret: 'jkl',
      },
    })
  })

  test.each(Object.keys(services))('service without %s -> problem names it', (missing) => {
    const { [missing as keyof typeof services]: _, ...rest } = services
    const problems = problemsOf(rest)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`also needs ${missing}$`))
  })

  test('only the URL of a service -> problem, reported with the others', () => {
    const problems = problemsOf({
      SMS_URL: 'https://sms.example',
      STORAGE_S3_ENDPOINT: 'https://s3.example',
      PORT: 'x',
    })
    expect(problems).toHaveLength(3)
    expect(problems[1]).toContain('also need SMS_KEY, SMS_SECRET, SMS_FROM')
  })

  test('services with invalid values -> problems without secrets', () => {
    const problems = problemsOf({
      ...services,
      SMTP_URL: 'https://rides:hunter2@mail.example',
      MAIL_FROM: 'Rides',
      SMS_URL: 'http://rides:hunter2@sms.example',
      SMS_FROM: 'a name that is too long',
      STORAGE_S3_BUCKET: '../ride-files',
    })
    expect(problems).toHaveLength(5)
    expect(problems.join()).not.toContain('hunter2')
  })
})

describe('push', () => {
  const account = {
    project_id: 'rides',
    client_email: 'push@rides.invalid',
    private_key: 'KEY',
    token_uri: 'https://oauth2.example/token',
  }

  test('hosts and a service account as JSON -> read; nothing -> keys are generated', () => {
    const { pushHosts, push } = load({
      PUSH_HOSTS: 'Push.example, .push.example,127.0.0.1:9000',
      FCM_SERVICE_ACCOUNT: JSON.stringify({ ...account, type: 'service_account' }),
    })
    expect(pushHosts).toEqual(['push.example', '.push.example', '127.0.0.1:9000'])
    expect(push.fcm).toEqual({ account, url: undefined })
    expect(load({})).toMatchObject({ vapidKeys: null, push: { subject: null, fcm: null, expo: null } })
  })

  test('one VAPID key, a URL as host, an unreadable account -> problems without secrets', () => {
    const problems = problemsOf({
      VAPID_PRIVATE_KEY: 'hunter2',
      PUSH_HOSTS: 'https://push.example',
      FCM_SERVICE_ACCOUNT: '{"private_key":"hunter2"}',
      VAPID_SUBJECT: 'rides.example',
    })
    expect(problems).toHaveLength(4)
    expect(problems.join()).not.toContain('hunter2')
  })
})

test('collector of traces -> traced under the name of the service, unless switched off', () => {
  const collector = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  expect(load({}).tracedAs).toBeNull()
  expect(load(collector).tracedAs).toBe('hansom')
  expect(load({ ...collector, OTEL_SERVICE_NAME: 'rides' }).tracedAs).toBe('rides')
  expect(load({ ...collector, OTEL_SDK_DISABLED: 'true' }).tracedAs).toBeNull()
})

test('README: variables table -> exactly the known variables', () => {
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')
  const start = readme.indexOf('| variable | default')
  const table = readme.slice(start, readme.indexOf('\n\n', start))
  const named = table.match(/(?<=`)[A-Z][A-Z0-9_]+(?=`)/g)
  expect([...new Set(named)].toSorted()).toEqual([...variableNames].toSorted())
})
