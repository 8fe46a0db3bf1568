/** What a sign-up came to: whether the person may enter at once, or what has to happen first; and what they sign in with. */
export interface Outcome {
  approved: boolean
  emailToVerify: boolean
  email: string
  password: string
}
