export interface StartNotice {
  address: string
  /** Which database it runs on. */
  database: string
  demo: { accounts: readonly string[]; password: string; drivers: number; riders: number } | null
  /** The whole link that makes the first admin, while it is open. */
  setupLink: string | null
}

/** What a person who has started the server needs to know. */
export function startNotice({ address, database, demo, setupLink }: StartNotice): string {
  const lines = [`Hansom is ready: ${address}`, `  database   ${database}`]
  if (demo !== null) {
    lines.push(
      `  demo       ${demo.drivers} simulated drivers, ${demo.riders} simulated riders`,
      `  accounts   ${demo.accounts.join('  ')}`,
      `  password   ${demo.password}`,
    )
  }
  if (setupLink !== null) lines.push(`  first admin, by this link and once:  ${setupLink}`)
  return `\n${lines.join('\n')}\n\n`
}
