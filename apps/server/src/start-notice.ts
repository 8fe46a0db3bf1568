import type { Category } from '@hansom/domain/settings/settings'

export interface StartNotice {
  url: string
  /** Description of the database. */
  database: string
  demo: { accounts: readonly string[]; password: string; drivers: number; riders: number } | null
  category: Category
  /** The complete link for creating the first admin, while it is valid. */
  setupLink: string | null
  /** Channels without an external provider. */
  unsent: readonly ('mail' | 'text messages')[]
  /** PUBLIC_URL is not set in production. */
  publicUrlMissing: boolean
}

const settingsOf = {
  mail: 'SMTP_URL with MAIL_FROM',
  'text messages': 'SMS_KEY with SMS_SECRET and SMS_FROM',
}

/** Formats the notice printed when the server is ready. */
export function startNotice({
  url: address,
  database,
  demo,
  category,
  setupLink,
  unsent,
  publicUrlMissing: addressMissing,
}: StartNotice): string {
  const [drivers, riders] = category === 'delivery' ? ['couriers', 'senders'] : ['drivers', 'riders']
  const lines = [`Hansom is ready: ${address}`, `  database   ${database}`]
  if (demo !== null) {
    lines.push(
      `  demo       ${demo.drivers} simulated ${drivers}, ${demo.riders} simulated ${riders}`,
      `  accounts   ${demo.accounts.join('  ')}`,
      `  password   ${demo.password}`,
    )
  }
  if (unsent.length > 0) {
    const settings = unsent.map((kind) => settingsOf[kind]).join('; ')
    lines.push(
      `  not sent   ${unsent.join(' and ')}: links and codes are stored in the mailbox for 3 days`,
      `             and reach no one. To send them, set ${settings}`,
    )
  }
  if (addressMissing) {
    lines.push(
      '  local only links in mails use this URL, and cookies are also sent without https. Set',
      '             PUBLIC_URL to the public address, such as https://rides.example',
    )
  }
  if (setupLink !== null) lines.push(`  create the first admin with this one-time link:  ${setupLink}`)
  return `\n${lines.join('\n')}\n\n`
}
