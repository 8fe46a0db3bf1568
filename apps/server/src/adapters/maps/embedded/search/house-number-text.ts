import { plainText } from './plain-text.ts'

/**
 * The key of a house number, equal for its spellings: lower case, "12 A" as "12a", "12 bis" as "12bis", "12/3" as
 * "12-3". Ids contain it. Empty if the text has no digit.
 */
export function numberKey(text: string): string {
  const plain = plainText(text)
  return /\d/.test(plain) ? plain.replace(/(\d) (?=\d)/g, '$1-').replaceAll(' ', '') : ''
}

/** The integer that a house number is ordered by: its first digits; 0 if it has none. */
export function numberOrder(text: string): number {
  return Number(/\d{1,6}/.exec(plainText(text))?.[0] ?? 0)
}

const mostNumbers = 16
const longestText = 20

/**
 * The house numbers of a tag: a list ("2;4", "2142,2146") is several; a range of a few plain numbers ("10-14") is both
 * ends and itself. Each is returned as tagged, without surrounding spaces.
 */
export function splitNumbers(tag: string): string[] {
  const found = new Set<string>()
  for (const part of tag.split(/[;,]/)) {
    const text = part.trim()
    if (text === '' || text.length > longestText || numberKey(text) === '') continue
    found.add(text)
    const [, first, last] = /^(\d{1,5})\s*[-–]\s*(\d{1,5})$/.exec(text) ?? []
    if (first === undefined || last === undefined || Number(last) <= Number(first)) continue
    found.add(first).add(last)
  }
  return [...found].slice(0, mostNumbers)
}

/** Countries that write the number before the street, by ISO 3166-1 code (Universal Postal Union address formats). */
const numberFirst = new Set(
  'AU BH BM BW CA CY DZ EG FJ FR GB GG GH GI GP GY HK IE IM IN JE JM KE KH KR LK LU MA MC MF MG MQ MT MU MY NC NG NZ OM PF PH PK PM RE SC SG SN TH TN TW TZ UG US VN WF YT ZA ZM ZW'.split(
    ' ',
  ),
)

/** The first line of an address in the habit of the country, such as "1600 Main Street" or "Hauptstrasse 12a". */
export function addressLabel(street: string, number: string, countryCode: string): string {
  return numberFirst.has(countryCode) ? `${number} ${street}` : `${street} ${number}`
}
