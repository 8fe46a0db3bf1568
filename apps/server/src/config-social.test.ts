import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from './config.ts'

const pem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const apple = {
  APPLE_CLIENT_ID: 'rides.web',
  APPLE_TEAM_ID: 'TEAM',
  APPLE_KEY_ID: 'KEY',
  APPLE_PRIVATE_KEY: pem.toString(),
}
const load = (variables: Record<string, string>) => loadConfig({ NODE_ENV: 'test', ...variables }, '/')
const problemsOf = (variables: Record<string, string>): string[] => {
  try {
    load(variables)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
  }
  return []
}

test('social sign-in: not configured -> null; configured -> default URLs', () => {
  expect(load({})).toMatchObject({ facebook: null, apple: null })
  expect(load({ FACEBOOK_CLIENT_ID: 'a', FACEBOOK_CLIENT_SECRET: 'b' }).facebook).toEqual({
    clientId: 'a',
    clientSecret: 'b',
    dialogUrl: 'https://www.facebook.com/v24.0',
    graphUrl: 'https://graph.facebook.com/v24.0',
  })
  const FACEBOOK_GRAPH_URL = 'https://graph.facebook.com/v25.0'
  const newer = load({ FACEBOOK_CLIENT_ID: 'a', FACEBOOK_CLIENT_SECRET: 'b', FACEBOOK_GRAPH_URL })
  expect(newer.facebook?.graphUrl).toBe(FACEBOOK_GRAPH_URL)
})

test('Apple: key on one line -> accepted', () => {
  const expected = {
    clientId: 'rides.web',
    teamId: 'TEAM',
    keyId: 'KEY',
    privateKey: pem.toString(),
    url: 'https://appleid.apple.com',
  }
  expect(load(apple).apple).toEqual(expected)
  const oneLine = pem.toString().replaceAll('\n', '\\n')
  expect(load({ ...apple, APPLE_PRIVATE_KEY: oneLine }).apple).toEqual(expected)
})

test('problems: incomplete configuration or invalid key -> reported without the secret', () => {
  expect(problemsOf({ FACEBOOK_CLIENT_ID: 'a' })).toEqual([
    'FACEBOOK_CLIENT_ID is set, but Facebook sign-in also needs FACEBOOK_CLIENT_SECRET',
  ])
  const problems = problemsOf({ ...apple, APPLE_PRIVATE_KEY: 'hunter2' })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toContain('.p8')
  expect(problems[0]).not.toContain('hunter2')
})
