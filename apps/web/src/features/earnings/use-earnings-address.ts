import { cityDay } from '@hansom/domain/time/city-day'
import { useServerNow } from '../../lib/clock.ts'
import { useSearchParams } from '../../lib/search-params.ts'
import { useSettings } from '../../lib/settings.ts'
import { type EarningsAddress, earningsSearch, readEarningsAddress } from './earnings-address.ts'

type Shown = Pick<EarningsAddress, 'by' | 'from'>

/** The period in the URL, today's date in the city, and a function that shows another period. */
export function useEarningsAddress(): EarningsAddress & { today: string; show: (next: Shown) => void } {
  const [params, changeParams] = useSearchParams()
  const { timezone } = useSettings()
  const today = cityDay(useServerNow(30_000), timezone)
  const show = (next: Shown) => changeParams(() => earningsSearch(next, today))
  return { ...readEarningsAddress(params, today), today, show }
}
