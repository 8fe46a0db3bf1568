import { Refusal } from '@hansom/domain/error-keys'
import { hashQueue } from './create-account.ts'
import { type Credential, isPassword } from './credentials.ts'
import type { Guesser, SignInLimits } from './sign-in-limits.ts'

/**
 * Returns the credential when the password matches, for a caller who is not signed in. Limits guesses and queues
 * hashes; calls `find` only after the guess passed the limit. Throws login_error, too_many_requests.
 */
export async function verifyCredential(
  limits: SignInLimits,
  guesser: Guesser,
  find: () => Promise<Credential | undefined>,
  password: string,
): Promise<Credential> {
  await limits.attempt(guesser)
  const credential = await find()
  const isRight = await hashQueue.run(guesser.ipKey, async () => {
    await limits.attemptByIp(guesser)
    return isPassword(credential, password)
  })
  if (!isRight || credential === undefined) throw new Refusal('login_error')
  await limits.succeeded(guesser)
  return credential
}
