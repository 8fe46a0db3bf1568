/** The result of a sign-up: what is required before sign-in, if anything, and the credentials for it. */
export interface SignUpResult {
  approved: boolean
  emailToVerify: boolean
  email: string
  password: string
}
