import type { LedgerEntry } from '@hansom/contract/wallet'
import type { Translate } from '../../lib/i18n.ts'

type Leg = LedgerEntry['legs'][number]

/** What a leg's account is called: a person's name, a booking's code, or the account's own name. */
export function accountName({ group, name, of }: Pick<Leg, 'group' | 'name' | 'of'>, t: Translate): string {
  if (group === 'user') return name ?? t('wallet.account_user')
  if (group === 'trip') return name === null ? t('wallet.account_trip') : `${t('wallet.booking')} ${name}`
  if (group === 'provider') return providerName(of, t)
  return t(`wallet.account_${group}`)
}

/** What a card payment service is called; all of them together without its id. */
export function providerName(id: string | null, t: Translate): string {
  return id === null ? t('wallet.account_provider') : t(`payments.provider_${id}` as string)
}

/** How much an entry moves: what leaves accounts, which is as much as arrives. */
export function largest({ legs }: LedgerEntry): number {
  return legs.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
}
