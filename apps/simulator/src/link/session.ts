/** One account's session: a token, renewed when the server no longer accepts it. */
export class Session {
  private current: Promise<string>
  private readonly signIn: () => Promise<string>

  constructor(token: string, signIn: () => Promise<string>) {
    this.current = Promise.resolve(token)
    this.signIn = signIn
  }

  token(): Promise<string> {
    return this.current
  }

  /** Signs in again unless the token was renewed since `dead` was issued. Throws when the sign-in is refused. */
  async renew(dead: string): Promise<string> {
    const before = this.current
    if ((await before) !== dead || this.current !== before) return this.current
    const renewed = this.signIn()
    this.current = renewed
    renewed.catch(() => {
      this.current = before
    })
    return renewed
  }
}
