import { cityDay } from '@hansom/domain/time/city-day'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useServerNow } from '../../lib/clock.ts'
import { useSettings } from '../../lib/settings.ts'
import { type EarningsAddress, earningsSearch, readEarningsAddress } from './earnings-address.ts'

type Shown = Pick<EarningsAddress, 'by' | 'from'>

/** The period that the address names, today in the city, and a way to another period. */
export function useEarningsAddress(): EarningsAddress & { today: string; show: (next: Shown) => void } {
  const address: Readonly<Record<string, unknown>> = useSearch({ strict: false })
  const navigate = useNavigate()
  const { timezone } = useSettings()
  const today = cityDay(useServerNow(30_000), timezone)
  const show = (next: Shown) => {
    const search = (old: Readonly<Record<string, unknown>>) => ({ ...old, ...earningsSearch(next, today) })
    void navigate({ to: '.', search, replace: true, resetScroll: false } as never)
  }
  return { ...readEarningsAddress(address, today), today, show }
}
