import type { Entry } from './ledger.ts'

/** In-memory books for tests, with the database's rules: balances change with each entry, a key is written once. */
export class Books {
  readonly entries: Entry[] = []
  private readonly keys = new Set<string>()
  private readonly accounts = new Map<string, number>()
  private total = 0

  has(key: string): boolean {
    return this.keys.has(key)
  }

  /** Throws on a duplicate key. */
  post(entries: readonly Entry[]): void {
    for (const entry of entries) {
      if (this.keys.has(entry.key)) throw new Error(`${entry.key} twice`)
      this.keys.add(entry.key)
      this.entries.push(entry)
      for (const { account, amount } of entry.legs) {
        this.total += amount
        this.accounts.set(account, this.balanceOf(account) + amount)
      }
    }
  }

  balanceOf(account: string): number {
    return this.accounts.get(account) ?? 0
  }

  /** Violated invariants: legs that do not sum to zero, or balances that differ from a replay of the entries. */
  flaws(): string[] {
    const replayed = new Map<string, number>()
    for (const { legs } of this.entries) {
      for (const { account, amount } of legs) replayed.set(account, (replayed.get(account) ?? 0) + amount)
    }
    const wrong = [...new Set([...replayed.keys(), ...this.accounts.keys()])].filter(
      (account) => (replayed.get(account) ?? 0) !== this.balanceOf(account),
    )
    return [...(this.total === 0 ? [] : [`sum ${this.total}`]), ...wrong]
  }

  get sum(): number {
    return this.total
  }
}
