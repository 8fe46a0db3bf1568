/** How many attempts are let through before waiting begins, and how long. */
export interface AttemptRule {
  /** The attempt with this number is the last one that is let through without waiting. */
  allowed: number
  /** The first wait, ms; each further attempt doubles it. */
  firstWaitMs: number
  longestWaitMs: number
  /** After this long without an attempt all is forgotten, ms. */
  memoryMs: number
}

const minute = 60_000

/** What is limited, for each pair of an account and an address, for a known device, or for an address alone. */
export const attemptRules = {
  /** One account from one address, or from one known device. */
  password: { allowed: 5, firstWaitMs: 30_000, longestWaitMs: 15 * minute, memoryMs: 60 * minute },
  /** All accounts from one address, less those that were right: a city behind one address mistypes a lot. */
  passwordsOfAddress: {
    allowed: 200,
    firstWaitMs: 30_000,
    longestWaitMs: 15 * minute,
    memoryMs: 60 * minute,
  },
  /** Text messages to one number that one address asks for. */
  codeOfPair: { allowed: 1, firstWaitMs: 30_000, longestWaitMs: 15 * minute, memoryMs: 60 * minute },
  /** The same from a device that has signed in by this number: no stranger's requests hold it up. */
  codeOfDevice: { allowed: 3, firstWaitMs: 30_000, longestWaitMs: 15 * minute, memoryMs: 60 * minute },
  /** What one address asks for and does not give back: a mobile network has one for a whole city. */
  codesOfAddress: { allowed: 20, firstWaitMs: 60_000, longestWaitMs: 15 * minute, memoryMs: 120 * minute },
  /** Text messages to one number, whoever asks: the wait stays short, so that nobody can keep its owner out. */
  codesOfNumber: { allowed: 10, firstWaitMs: 60_000, longestWaitMs: 5 * minute, memoryMs: 120 * minute },
  mailsOfPerson: { allowed: 3, firstWaitMs: 60_000, longestWaitMs: 10 * minute, memoryMs: 120 * minute },
  mailsOfAddress: { allowed: 20, firstWaitMs: 60_000, longestWaitMs: 15 * minute, memoryMs: 120 * minute },
  /** Questions whether somebody exists, or whose a referral id is. */
  lookups: { allowed: 30, firstWaitMs: 60_000, longestWaitMs: 10 * minute, memoryMs: 30 * minute },
  /** Sign-ups that come to nothing, since each says whether somebody exists. */
  signUps: { allowed: 30, firstWaitMs: 60_000, longestWaitMs: 10 * minute, memoryMs: 60 * minute },
  /** Accounts made: a launch, or a mobile network, has one address for all, so the wait stays short. */
  newAccounts: { allowed: 200, firstWaitMs: 10_000, longestWaitMs: minute, memoryMs: 60 * minute },
  uploads: { allowed: 20, firstWaitMs: 60_000, longestWaitMs: 10 * minute, memoryMs: 60 * minute },
} as const satisfies Record<string, AttemptRule>

/**
 * How long an attempt at an account that fails from everywhere waits before it is looked at, ms: nothing for the first
 * ten failures, then growing to two seconds. It never refuses, so strangers cannot shut the owner out.
 */
export function slowDownMs(failures: number): number {
  return failures <= 10 ? 0 : Math.min(2_000, 100 * 2 ** Math.min(10, failures - 10))
}
