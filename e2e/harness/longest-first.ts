import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The long journeys, longest first: several run in parallel, and a long one started last would run alone. */
const longest = [
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
  'simulated-city',
]

const turnOf = ({ moduleId }: TestSpecification): number => {
  const turn = longest.indexOf(basename(moduleId, '.spec.ts'))
  return turn < 0 ? longest.length : turn
}

/** Orders test files: long journeys first, the others in the default order. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}
