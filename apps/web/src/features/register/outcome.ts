/** What a sign-up came to: whether the person may enter at once, or what has to happen first. */
export interface Outcome {
  approved: boolean
  emailToVerify: boolean
}
