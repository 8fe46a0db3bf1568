import type { LedgerEntry } from '@hansom/contract/wallet'
import type { Translate } from '../../lib/i18n.ts'

type Leg = LedgerEntry['legs'][number]

/** Name of a leg's account: a user's name, a booking's code, or the account's own name. */
export function accountName({ group, name, of }: Pick<Leg, 'group' | 'name' | 'of'>, t: Translate): string {
  if (group === 'user') return name ?? t('wallet.account_user')
  if (group === 'trip') return name === null ? t('wallet.account_trip') : `${t('wallet.booking')} ${name}`
  if (group === 'provider') return providerName(of, t)
  return t(`wallet.account_${group}`)
}

/** Name of a payment provider; without an id, of all of them. */
export function providerName(id: string | null, t: Translate): string {
  return id === null ? t('wallet.account_provider') : t(`payments.provider_${id}` as string)
}

/** The amount an entry moves: the sum of its positive legs. */
export function largest({ legs }: LedgerEntry): number {
  return legs.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
}
