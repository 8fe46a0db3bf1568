export interface StartNotice {
  address: string
  /** Which database it runs on. */
  database: string
  demo: { accounts: readonly string[]; password: string; drivers: number; riders: number } | null
  /** The whole link that makes the first admin, while it is open. */
  setupLink: string | null
  /** What no outside service carries, though people wait for it. */
  unsent: readonly ('mail' | 'text messages')[]
  /** The address that people use was not told. */
  addressMissing: boolean
}

const settingsOf = {
  mail: 'SMTP_URL with MAIL_FROM',
  'text messages': 'SMS_KEY with SMS_SECRET and SMS_FROM',
}

/** What a person who has started the server needs to know. */
export function startNotice({
  address,
  database,
  demo,
  setupLink,
  unsent,
  addressMissing,
}: StartNotice): string {
  const lines = [`Hansom is ready: ${address}`, `  database   ${database}`]
  if (demo !== null) {
    lines.push(
      `  demo       ${demo.drivers} simulated drivers, ${demo.riders} simulated riders`,
      `  accounts   ${demo.accounts.join('  ')}`,
      `  password   ${demo.password}`,
    )
  }
  if (unsent.length > 0) {
    const settings = unsent.map((kind) => settingsOf[kind]).join('; ')
    lines.push(
      `  not sent   ${unsent.join(' and ')}: links and codes are kept in this database's outbox for 3 days`,
      `             and reach nobody until there is ${settings}`,
    )
  }
  if (addressMissing) {
    lines.push(
      '  here only  links in mails lead to this address, and cookies go without https too, until there is',
      '             PUBLIC_URL with the address people use, such as https://rides.example',
    )
  }
  if (setupLink !== null) lines.push(`  first admin, by this link and once:  ${setupLink}`)
  return `\n${lines.join('\n')}\n\n`
}
