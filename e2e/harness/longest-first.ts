import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest tests, longest first: several run in parallel, and a long one started last would run alone. */
const longest = [
  'simulation.test.ts',
  ...[
    'any-input',
    'several-servers',
    'killed-server',
    'backup',
    'access-secrets',
    'crowd',
    'embedded-server',
  ].map((name) => `${name}.db.test.ts`),
  ...[
    'screens',
    'whole-trip',
    'dispatch',
    'texts',
    'users',
    'profile',
    'accounts',
    'back-office-shell',
    'settings',
    'payments',
    'send-parcel',
    'simulated-city',
  ].map((name) => `${name}.spec.ts`),
]

const turnOf = ({ moduleId }: TestSpecification): number => {
  const turn = longest.indexOf(basename(moduleId))
  return turn < 0 ? longest.length : turn
}

/** Orders test files: the longest first, the others in the default order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}
