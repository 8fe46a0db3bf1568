import { expect } from 'vitest'
import type { Books } from './books.fixture.ts'
import { type Due, dueReleases } from './dues.ts'
import type { Entry } from './ledger.ts'

/** A driver's claim from a trip that the rider's money may not cover. */
interface Claim {
  full: number
  /** The amount missing from the rider's balance when the claim arose, and the amount received since. */
  missing: number
  rises: number
  credited: number
  waived: number
}

const crediting: readonly string[] = ['settlement', 'cancellation', 'due_released']

/** The claims of drivers on rider `r`, with their open dues, followed from the ledger's entries. */
export class DriverClaims {
  dues: readonly Due[] = []
  /** The rider's money from this step that may go to drivers. */
  received = 0
  private readonly claims = new Map<string, Claim>()
  private readonly driverOf: (booking: string) => string

  constructor(driverOf: (booking: string) => string) {
    this.driverOf = driverOf
  }

  /** `asked`: the amount charged to the rider, of which `missing` was not in the wallet. */
  add(booking: string, full: number, asked: number, missing: number): void {
    this.received += Math.max(0, asked - missing)
    this.claims.set(booking, { full, missing: Math.min(full, missing), rises: 0, credited: 0, waived: 0 })
  }

  apply({ kind, booking, legs }: Entry): void {
    const claim = this.claims.get(booking ?? '')
    for (const { account, amount } of legs) {
      if (account === 'user:r' && amount > 0) this.rise(amount)
      if (account.startsWith('due:') && booking !== null) this.move(booking, amount)
      if (claim && kind === 'due_waived' && account === 'user:r') claim.waived += amount
      if (claim && crediting.includes(kind) && account !== 'user:r' && account.startsWith('user:')) {
        claim.credited += amount
      }
    }
  }

  private rise(amount: number): void {
    this.received += amount
    for (const claim of this.claims.values()) claim.rises += amount
  }

  private move(booking: string, amount: number): void {
    const known = this.dues.find((due) => due.booking === booking)
    const open = (known?.open ?? 0) + amount
    const changed = known ? { ...known, open } : { booking, rider: 'r', driver: this.driverOf(booking), open }
    const dues = known ? this.dues.map((due) => (due === known ? changed : due)) : [...this.dues, changed]
    this.dues = dues.filter((due) => due.open > 0)
  }

  /** Releases dues after the balance rose. Drivers get no more than was received. */
  release(balance: number): Entry[] {
    const entries = dueReleases(this.dues, balance)
    const released = entries.reduce((sum, { legs }) => sum + (legs[1]?.amount ?? 0), 0)
    expect(released).toBeLessThanOrEqual(this.received)
    this.received -= released
    return entries
  }

  /** Drops the claims of which nothing is due any more. */
  forget(books: Books): void {
    for (const booking of this.claims.keys()) {
      if (books.balanceOf(`due:${booking}`) === 0) this.claims.delete(booking)
    }
  }

  /** Dues beyond the rider's debt, and claims that do not add up or were credited beyond what the rider has paid. */
  flaws(books: Books): string[] {
    const balance = books.balanceOf('user:r')
    const open = this.dues.reduce((sum, due) => sum + due.open, 0)
    const isCovered = open >= 0 && open <= Math.max(0, -balance)
    const flaws = isCovered ? [] : [`${open} due at a balance of ${balance}`]
    const claims = [...this.claims].flatMap(([booking, { full, missing, rises, credited, waived }]) => [
      ...(credited + waived + books.balanceOf(`due:${booking}`) === full ? [] : [`all of ${booking}`]),
      ...(credited <= full - missing + rises ? [] : [`${booking}: credited, not collected`]),
    ])
    return [...flaws, ...claims]
  }
}
