import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The long journeys, the longest first: two go on at a time, and a long one begun last is waited for alone. */
const longest = ['screens', 'whole-trip', 'accounts', 'simulated-city', 'settings', 'social', 'catalogue']

const turnOf = ({ moduleId }: TestSpecification): number => {
  const turn = longest.indexOf(basename(moduleId, '.spec.ts'))
  return turn < 0 ? longest.length : turn
}

/** The order of the test files: long journeys before all others, which stay as they would be. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => turnOf(one) - turnOf(other))
  }
}
