let email = ''

/** Keeps the e-mail of an account that was just made, for the sign-in page that follows; a reload forgets it. */
export function keepNewEmail(made: string): void {
  email = made
}

/** The e-mail of the account that was just made, or nothing. */
export function newEmail(): string {
  return email
}
