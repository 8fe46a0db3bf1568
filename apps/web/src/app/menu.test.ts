import { mayOpen, screenRoles } from '@hansom/domain/access/screens'
import { flattenPack, type PackGroup } from '@hansom/domain/languages/shipped-languages'
import { describe, expect, it } from 'vitest'
import { entriesOf, menuOf } from './menu.ts'
import { screens } from './screens.ts'

const groups = import.meta.glob<PackGroup>('../../../../packages/domain/src/languages/packs/en/*.json', {
  eager: true,
  import: 'default',
})
const names = flattenPack(
  Object.fromEntries(
    Object.entries(groups).map(([file, texts]) => [file.replace(/.*\/|\.json$/g, ''), texts]),
  ),
)

/** The menu of each role as in the product's specification, with one word for one thing; entries of a group are indented. */
const described = {
  rider: ['Home', 'Booking history', 'Profile'],
  driver: ['Home', 'Booking history', 'Profile'],
  fleetadmin: ['Home', 'Dashboard', 'Booking history', 'Drivers', 'Earnings reports', 'Profile'],
  admin: [
    'Home',
    'Dashboard',
    'Booking history',
    'Dispatch',
    'Add booking',
    'Users',
    '  Riders',
    '  Drivers',
    '  Fleet admins',
    '  Admins',
    'Car types',
    'Cancellation reasons',
    'Wallet',
    '  Earnings reports',
    '  Driver earnings',
    '  Add to wallet',
    '  Withdrawals',
    'Settings',
    '  App info',
    '  General settings',
    '  Languages',
    'Promos',
    'Push notifications',
    'Profile',
  ],
} as const
const roles = Object.keys(described) as (keyof typeof described)[]

/** Our additions to the specification: travellers' wallet pages and operators' tools. */
const added = [
  '/operations',
  '/dispatchrules',
  '/safety',
  '/wallet',
  '/earnings',
  '/ledger',
  '/payments',
  '/disputes',
  '/audit',
  '/mailbox',
]

function shownTo(role: keyof typeof described): string[] {
  const nodes = menuOf(
    screens.filter(({ path }) => !added.includes(path)),
    role,
    true,
    'taxi',
  )
  return nodes.flatMap((node) =>
    'group' in node
      ? [names[node.label] ?? node.label, ...node.entries.map(({ label }) => `  ${names[label] ?? label}`)]
      : [names[node.label] ?? node.label],
  )
}

describe('menu', () => {
  it('every page of the permission table -> has code', () => {
    expect(screens.map(({ path }) => path).sort()).toEqual(Object.keys(screenRoles).sort())
  })

  it.each(roles)('%s -> the menu of the specification', (role) => {
    expect(shownTo(role)).toEqual(described[role])
  })

  it.each(roles)('%s -> no forbidden entries', (role) => {
    for (const { path } of entriesOf(menuOf(screens, role, true, 'delivery')))
      expect(mayOpen(path, role), path).toBe(true)
  })

  it('mailbox -> on a demo only', () => {
    const paths = (onDemo: boolean) =>
      entriesOf(menuOf(screens, 'admin', onDemo, 'taxi')).map(({ path }) => path)
    expect(paths(true)).toContain('/mailbox')
    expect(paths(false)).not.toContain('/mailbox')
  })

  it('parcels -> for senders of a delivery installation only', () => {
    const paths = (category: 'taxi' | 'delivery') =>
      entriesOf(menuOf(screens, 'rider', true, category)).map(({ path }) => path)
    expect(paths('delivery')).toContain('/deliveries')
    expect(paths('taxi')).not.toContain('/deliveries')
  })
})
