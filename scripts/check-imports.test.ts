import { describe, expect, test } from 'vitest'
import { checkImports } from './check-imports.mjs'

const problemsOf = (file: string, text: string, more: Record<string, string> = {}) =>
  checkImports(new Map([[file, text], ...Object.entries(more)])).problems

const server = 'apps/server/src'
const web = 'apps/web/src'

describe('import in the wrong direction -> one problem', () => {
  test.each([
    ['domain -> contract', 'packages/domain/src/fare/a.ts', `import { x } from '@hansom/contract/users'`],
    [
      'domain -> contract, a type',
      'packages/domain/src/fare/a.ts',
      `import type { X } from '@hansom/contract/users'`,
    ],
    ['domain -> node', 'packages/domain/src/fare/a.ts', `import { hash } from 'node:crypto'`],
    ['domain -> package', 'packages/domain/src/fare/a.ts', `import { z } from 'zod'`],
    [
      'domain -> server by path',
      'packages/domain/src/fare/a.ts',
      `import '../../../../apps/server/src/app.ts'`,
    ],
    ['contract -> server', 'packages/contract/src/a.ts', `export * from '../../../apps/server/src/app.ts'`],
    ['contract -> package', 'packages/contract/src/a.ts', `import pg from 'pg'`],
    ['client -> web', 'packages/client/src/a.ts', `import { x } from '../../../apps/web/src/lib/api.ts'`],
    ['client -> package', 'packages/client/src/a.ts', `import { WebSocket } from 'ws'`],
    ['feature -> client', `${server}/features/places/a.ts`, `import { x } from '@hansom/client/client'`],
    ['main -> feature', `${server}/main.ts`, `import { x } from './features/users/service.ts'`],
    ['app -> adapter', `${server}/app.ts`, `import { x } from './adapters/maps/embedded.ts'`],
    ['config -> platform', `${server}/config.ts`, `import { x } from './platform/log/log.ts'`],
    ['config -> adapter', `${server}/config.ts`, `import { x } from './adapters/payments/stripe/stripe.ts'`],
    [
      'feature -> provider options',
      `${server}/features/payments/a.ts`,
      `import { x } from '../../adapters/payments/registry.ts'`,
    ],
    [
      'feature -> adapter',
      `${server}/features/places/a.ts`,
      `import { x } from '../../adapters/maps/embedded.ts'`,
    ],
    ['feature -> app', `${server}/features/places/a.ts`, `import type { App } from '../../app.ts'`],
    [
      'feature -> higher feature',
      `${server}/features/users/a.ts`,
      `import { x } from '../bookings/service.ts'`,
    ],
    [
      'feature -> higher feature, a type',
      `${server}/features/users/a.ts`,
      `import type { X } from '../bookings/service.ts'`,
    ],
    [
      'feature -> higher feature, an inline type',
      `${server}/features/users/a.ts`,
      `let x: import('../bookings/service.ts').X`,
    ],
    [
      'feature -> higher feature, a dynamic import',
      `${server}/features/users/a.ts`,
      `await import('../bookings/service.ts')`,
    ],
    [
      'feature -> part of the store of a lower one',
      `${server}/features/bookings/a.ts`,
      `import { x } from '../users/store/read.ts'`,
    ],
    [
      'feature -> store of a lower one',
      `${server}/features/bookings/a.ts`,
      `import { x } from '../users/store.ts'`,
    ],
    [
      'feature without a rank',
      `${server}/features/zeppelins/a.ts`,
      `import { x } from '../users/service.ts'`,
    ],
    [
      'platform -> feature',
      `${server}/platform/http/a.ts`,
      `import { x } from '../../features/users/service.ts'`,
    ],
    ['platform -> config', `${server}/platform/http/a.ts`, `import type { Config } from '../../config.ts'`],
    [
      'adapter -> another port',
      `${server}/adapters/maps/a.ts`,
      `import type { P } from '../payments/port.ts'`,
    ],
    [
      'adapter -> another adapter',
      `${server}/adapters/maps/a.ts`,
      `import { x } from '../payments/stripe.ts'`,
    ],
    ['adapter -> platform', `${server}/adapters/maps/a.ts`, `import { x } from '../../platform/log/log.ts'`],
    ['port -> adapter', `${server}/adapters/maps/port.ts`, `import { x } from './embedded.ts'`],
    ['server -> web', `${server}/features/web/a.ts`, `import { x } from '../../../../web/src/lib/a.ts'`],
    ['web -> server', `${web}/lib/a.ts`, `import type { X } from '../../../server/src/app.ts'`],
    [
      'web feature -> web feature',
      `${web}/features/wallet/a.tsx`,
      `import { X } from '../bookings/parts.tsx'`,
    ],
    ['web feature -> app', `${web}/features/wallet/a.tsx`, `import { X } from '../../app/screens.tsx'`],
    [
      'web entity -> feature',
      `${web}/entities/users/a.tsx`,
      `import { X } from '../../features/users/a.tsx'`,
    ],
    ['web ui -> entity', `${web}/ui/a.tsx`, `import { X } from '../entities/users/a.tsx'`],
    ['web map -> feature', `${web}/map/a.tsx`, `import { X } from '../features/bookings/a.tsx'`],
    [
      'users -> its administration',
      `${server}/features/users/a.ts`,
      `import { x } from './admin/service.ts'`,
    ],
    [
      'feature -> routes of a nested feature',
      `${server}/features/web/a.ts`,
      `import { x } from '../users/admin/routes.ts'`,
    ],
    ['web ui -> map', `${web}/ui/a.tsx`, `import { X } from '../map/a.tsx'`],
    ['web lib -> ui', `${web}/lib/a.ts`, `import { X } from '../ui/a.tsx'`],
    [
      'web -> contract at run time',
      `${web}/lib/a.ts`,
      `import { contract } from '@hansom/contract/contract'`,
    ],
    [
      'web -> contract, types in a value import',
      `${web}/lib/a.ts`,
      `import { type X } from '@hansom/contract/users'`,
    ],
    ['simulator -> server', 'apps/simulator/src/a.ts', `import { x } from '../../server/src/config.ts'`],
    ['simulator -> web', 'apps/simulator/src/a.ts', `import { x } from '../../web/src/lib/a.ts'`],
    ['e2e -> server', 'e2e/trip.spec.ts', `import { x } from '../apps/server/src/app.ts'`],
    [
      'a test -> another application',
      `${web}/lib/a.test.ts`,
      `import { x } from '../../../server/src/app.ts'`,
    ],
    [
      'a domain test -> contract',
      'packages/domain/src/a.test.ts',
      `import { x } from '@hansom/contract/users'`,
    ],
  ])('%s', (_, file, text) => {
    expect(problemsOf(file, text)).toHaveLength(1)
  })

  test('cycle, types included', () => {
    const problems = problemsOf('packages/domain/src/a.ts', `import type { B } from './b.ts'`, {
      'packages/domain/src/b.ts': `export { a } from './a.ts'`,
    })
    expect(problems).toEqual([expect.stringMatching(/cycle: .*a\.ts -> .*b\.ts -> .*a\.ts/)])
  })
})

describe('import in the right direction -> no problem', () => {
  test.each([
    ['packages/domain/src/fare/a.ts', `import { round } from '../money/round.ts'`],
    [
      'packages/contract/src/a.ts',
      `import { z } from 'zod'; import type { X } from '@hansom/domain/users/x'`,
    ],
    [
      `${server}/main.ts`,
      `import { buildApp } from './app.ts'; import { maps } from './adapters/maps/embedded.ts'`,
    ],
    [`${server}/features/bookings/a.ts`, `import { x } from '../users/service.ts'`],
    [`${server}/features/bookings/table.ts`, `import { users } from '../users/table.ts'`],
    [`${server}/features/places/a.ts`, `import type { Maps } from '../../adapters/maps/port.ts'`],
    [`${server}/features/bookings/a.db.test.ts`, `import { buildApp } from '../../app.ts'`],
    [`${web}/app/screens.tsx`, `import { Trip } from '../features/trip/trip.tsx'`],
    [`${web}/lib/a.ts`, `import type { Booking } from '@hansom/contract/bookings'`],
    [`${web}/lib/a.ts`, `import { transitions } from '@hansom/domain/bookings/transitions'`],
    ['apps/simulator/src/a.ts', `import { contract } from '@hansom/contract/contract'`],
    ['apps/simulator/src/a.ts', `import { createClient } from '@hansom/client/client'`],
    [`${server}/a.db.test.ts`, `import { createClient } from '@hansom/client/client'`],
  ])('%s: %s', (file, text) => {
    expect(problemsOf(file, text)).toEqual([])
  })

  test('web -> contract module without external packages: allowed', () => {
    const light = {
      'packages/contract/src/boot.ts': `import type { Me } from './users.ts'; export const cookie = 'x'`,
    }
    const heavy = {
      'packages/contract/src/boot.ts': `import { me } from './users.ts'`,
      'packages/contract/src/users.ts': `import { z } from 'zod'`,
    }
    const text = `import { cookie } from '@hansom/contract/boot'`
    expect(problemsOf(`${web}/lib/a.ts`, text, light)).toEqual([])
    expect(problemsOf(`${web}/lib/a.ts`, text, heavy)).toHaveLength(1)
  })

  test('web -> part of the client without external packages: allowed', () => {
    const parts = {
      'packages/client/src/api-error.ts': `export const x = 1`,
      'packages/client/src/client.ts': `import { createORPCClient } from '@orpc/client'`,
    }
    const problems = (part: string) =>
      problemsOf(`${web}/lib/a.ts`, `import { x } from '@hansom/client/${part}'`, parts)
    expect(problems('api-error')).toEqual([])
    expect(problems('client')).toHaveLength(1)
  })
})
