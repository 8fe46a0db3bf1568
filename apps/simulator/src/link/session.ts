/** One account's place at the server: a token, and a new one when the server no longer knows it. */
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

  /** Signs in again unless somebody did so since `dead` was given out. Throws when the account is refused. */
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
