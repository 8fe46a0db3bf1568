/** Rate limit of attempts: how many are allowed before waits begin, and how long the waits are. */
export interface AttemptRule {
  /** Number of attempts without a wait. */
  allowed: number
  /** The first wait, ms; each further attempt doubles it. */
  firstWaitMs: number
  longestWaitMs: number
  /** After this time without an attempt the count is reset, ms. */
  memoryMs: number
}

const minute = 60_000

/**
 * Rate limits for each pair of an account and an IP address, for a known device, or for an IP address regardless of the
 * account.
 */
export const attemptRules = {
  /** One account from one IP address, or from one known device. */
  password: { allowed: 5, firstWaitMs: 30_000, longestWaitMs: 15 * minute, memoryMs: 60 * minute },
  /** All accounts from one IP address, minus successful sign-ins: a city behind one IP address mistypes a lot. */
  passwordsOfAddress: {
    allowed: 200,
    firstWaitMs: 30_000,
    longestWaitMs: 15 * minute,
    memoryMs: 60 * minute,
  },
  /** Text messages to one number requested from one IP address. */
  codeOfPair: { allowed: 1, firstWaitMs: 30_000, longestWaitMs: 15 * minute, memoryMs: 60 * minute },
  /** The same from a device that has signed in with this number: requests by strangers do not delay it. */
  codeOfDevice: { allowed: 3, firstWaitMs: 30_000, longestWaitMs: 15 * minute, memoryMs: 60 * minute },
  /** Codes requested from one IP address and not entered: a mobile network has one IP address for an entire city. */
  codesOfAddress: { allowed: 20, firstWaitMs: 60_000, longestWaitMs: 15 * minute, memoryMs: 120 * minute },
  /** Text messages to one number, by any requester: the wait stays short, so that the owner cannot be locked out. */
  codesOfNumber: { allowed: 10, firstWaitMs: 60_000, longestWaitMs: 5 * minute, memoryMs: 120 * minute },
  mailsOfPerson: { allowed: 3, firstWaitMs: 60_000, longestWaitMs: 10 * minute, memoryMs: 120 * minute },
  mailsOfAddress: { allowed: 20, firstWaitMs: 60_000, longestWaitMs: 15 * minute, memoryMs: 120 * minute },
  /** Lookups of whether a user exists, or who has a referral id. */
  lookups: { allowed: 30, firstWaitMs: 60_000, longestWaitMs: 10 * minute, memoryMs: 30 * minute },
  /** Failed sign-ups, because each reveals whether a user exists. */
  signUps: { allowed: 30, firstWaitMs: 60_000, longestWaitMs: 10 * minute, memoryMs: 60 * minute },
  /** Created accounts: a launch event or a mobile network shares one IP address, so the wait stays short. */
  newAccounts: { allowed: 200, firstWaitMs: 10_000, longestWaitMs: minute, memoryMs: 60 * minute },
  uploads: { allowed: 20, firstWaitMs: 60_000, longestWaitMs: 10 * minute, memoryMs: 60 * minute },
} as const satisfies Record<string, AttemptRule>

/**
 * Delay of an attempt on an account with failures from many IP addresses, ms: 0 for the first ten failures, then
 * growing to two seconds. Never refuses, so that strangers cannot lock the owner out.
 */
export function slowDownMs(failures: number): number {
  return failures <= 10 ? 0 : Math.min(2_000, 100 * 2 ** Math.min(10, failures - 10))
}

/**
 * Work a browser does before a text message is sent: for each part it searches a number so that the SHA-256 digest of
 * `workText` begins with the required zero bits. Several small parts take nearly the same time for everyone; one large
 * part could take four times as long for some.
 */
export const workParts = 8
/** On average 2^12 digests per part, 32,768 in total. */
export const workBits = 12

/** The challenge from the server, with its parameters. */
export interface WorkOrder {
  /** Signed by the server; valid once, for one number. */
  challenge: string
  parts: number
  bits: number
}
export interface Work {
  challenge: string
  /** One for each part. */
  nonces: number[]
}

/** The text whose digest is checked. */
export function workText(challenge: string, part: number, nonce: number): string {
  return `${challenge}:${part}:${nonce}`
}

export function beginsWithZeros(digest: Uint8Array, bits: number): boolean {
  const fullBytes = bits >> 3
  for (let index = 0; index < fullBytes; index += 1) if (digest[index] !== 0) return false
  const rest = bits & 7
  return rest === 0 || (digest[fullBytes] ?? 255) >> (8 - rest) === 0
}

/** How long after sign-in irreversible commands need no password, ms. */
export const freshSessionMs = 10 * 60_000

/** How long a code sent to a phone is valid, ms. */
export const codeLifetimeMs = 5 * 60_000
