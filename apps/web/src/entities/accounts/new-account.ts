let email = ''

/** Remembers the email of a newly created account for the sign-in page; a reload forgets it. */
export function storeNewEmail(made: string): void {
  email = made
}

/** The email of the newly created account, or an empty string. */
export function newEmail(): string {
  return email
}
