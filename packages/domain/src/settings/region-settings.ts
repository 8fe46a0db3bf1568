import type { Settings } from './settings.ts'

/** What a map says about its region. */
export interface RegionFacts {
  /** ISO 3166-1 alpha-2, upper case. */
  countryCode: string
  /** Those of regions served side by side, and the state that a territory belongs to. */
  otherCountries?: readonly string[] | undefined
  /** IANA name. */
  timezone: string
  /** ISO 4217. */
  currency: string
  /** ISO 639-1 codes, the most used first. */
  languages: readonly string[]
}

/** Currencies whose subunits are not used in prices, though ISO 4217 has them. */
const wholeCurrencies = new Set(
  (
    'ALL AMD ARS COP CRC CZK HUF IDR INR IQD IRR KZT LAK LBP MMK MNT NOK PHP ' +
    'PKR RSD RUB SEK SOS TWD TZS UYU UZS YER'
  ).split(' '),
)

/** Countries whose road signs show miles. */
const mileCountries = new Set(['GB', 'GG', 'IM', 'JE', 'LR', 'PR', 'US', 'VI'])

/** All countries of the map, each once, that of the home region first. */
export function servedCountries({
  countryCode,
  otherCountries = [],
}: Pick<RegionFacts, 'countryCode' | 'otherCountries'>): string[] {
  return [...new Set([countryCode, ...otherCountries])]
}

/**
 * The settings that a new installation takes from its region. The currency's symbol and its place follow the region's
 * own writing. Place search is limited to a country only if the map has no other.
 */
export function regionSettings(region: RegionFacts) {
  const { countryCode, timezone, currency, languages } = region
  const format = new Intl.NumberFormat(`${languages[0] ?? 'en'}-${countryCode}`, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
  })
  const parts = format.formatToParts(1).filter(({ type }) => type === 'currency' || type === 'integer')
  const symbol = parts.find(({ type }) => type === 'currency')?.value.replace(/\p{Cf}/gu, '') ?? currency
  const isAfter = parts[0]?.type === 'integer'
  return {
    code: currency,
    // Letters need a space before the number: "CHF 12", but "$12".
    symbol: !isAfter && /\p{L}$/u.test(symbol) ? `${symbol}\u00a0` : symbol,
    swipe_symbol: isAfter,
    decimal: wholeCurrencies.has(currency) ? 0 : (format.resolvedOptions().maximumFractionDigits ?? 2),
    country: countryCode,
    restrictCountry: servedCountries(region).length > 1 ? '' : countryCode,
    timezone,
    convert_to_mile: mileCountries.has(countryCode),
  } satisfies Partial<Settings>
}
