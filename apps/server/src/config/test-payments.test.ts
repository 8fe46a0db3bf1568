import { expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../config.ts'

const paymentsOf = (variables: Record<string, string>) => Object.keys(loadConfig(variables, '/srv').payments)
function problemsOf(variables: Record<string, string>): string[] {
  try {
    loadConfig(variables, '/srv')
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
const stripe = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
const production = { NODE_ENV: 'production', PUBLIC_URL: 'https://rides.example' }

test('test payments -> on in the demo unless disabled, off elsewhere', () => {
  expect(paymentsOf({})).toEqual(['test'])
  expect(paymentsOf({ PAYMENT_TEST_ENABLED: 'false' })).toEqual([])
  expect(paymentsOf({ DEMO: 'off' })).toEqual([])
  expect(paymentsOf({ DEMO: 'off', PAYMENT_TEST_ENABLED: 'true' })).toEqual([])
  expect(paymentsOf({ ...production, PAYMENT_TEST_ENABLED: 'true' })).toEqual([])
  expect(paymentsOf({ ...production, ...stripe })).toEqual(['stripe'])
  expect(paymentsOf(stripe).sort()).toEqual(['stripe', 'test'])
})

test('test payments with another provider in production -> rejected, no secret shown', () => {
  expect(problemsOf({ ...production, ...stripe, PAYMENT_TEST_ENABLED: 'true' })[0]).toContain(
    'only available in the demo',
  )
  expect(problemsOf({ PAYMENT_TEST_ENABLED: 'perhaps' })[0]).toContain(
    'PAYMENT_TEST_ENABLED must be true or false',
  )
  const short = problemsOf({ PAYMENT_TEST_SECRET: 'hunter2' })[0]
  expect(short).toContain('PAYMENT_TEST_SECRET')
  expect(short).not.toContain('hunter2')
})
