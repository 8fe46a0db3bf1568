import { expect, it } from 'vitest'
import { createFormat, type FormatRules, isolated, withoutIsolates } from './format.ts'

const rules: FormatRules = {
  locale: 'en',
  dateLocale: 'en-GB',
  symbol: '$',
  decimal: 2,
  swipe_symbol: false,
  convert_to_mile: false,
  timezone: 'America/Montevideo',
}
const format = (changed: Partial<FormatRules> = {}) => createFormat({ ...rules, ...changed })

it("money: symbol before the number -> in the settings' digits", () => {
  expect(format().money(12_345_600)).toBe('$1,234.56')
  expect(format({ decimal: 0 }).money(2_300_000)).toBe('$230')
  expect(format({ decimal: 4 }).money(1)).toBe('$0.0001')
})

it('money: swipe_symbol -> symbol after the number', () => {
  expect(format({ swipe_symbol: true, symbol: 'kr' }).money(100_000)).toBe('10.00\u00a0kr')
})

it('money: negative -> minus first; rounds to zero -> no minus', () => {
  expect(format().money(-125_000)).toBe('\u2212$12.50')
  expect(format({ decimal: 0 }).money(-1_000)).toBe('$0')
})

it('language -> its digits and separators', () => {
  expect(format({ locale: 'ar-EG' }).money(1_234_500)).toBe('$١٢٣٫٤٥')
  expect(format({ locale: 'de' }).money(12_345_600)).toBe('$1.234,56')
})

it('distance -> metres, kilometres or miles', () => {
  expect(format().distance(0.084)).toBe('80 m')
  expect(format().distance(4.234)).toBe('4.2 km')
  expect(format({ convert_to_mile: true }).distance(16.09344)).toBe('10 mi')
})

it('duration -> minutes and hours, at least one minute', () => {
  expect(format().duration(5)).toBe('1 min')
  expect(format().duration(1_040)).toBe('17 min')
  expect(format().duration(4_800)).toBe('1 hr 20 min')
  expect(format({ locale: 'ar' }).duration(180)).toBe('3 دقائق')
})

it.each([
  ['es', '1 h 20 min', '4,2 km', '1.234,50 $', 'A, B y C'],
  ['fr', '1 h 20 min', '4,2 km', '1 234,50 $', 'A, B, C'],
  ['pt-BR', '1 h 20 min', '4,2 km', '1.234,50 $', 'A, B, C'],
  ['hi', '1 घंटा 20 मिनट', '4.2 कि॰मी॰', '1,234.50 $', 'A, B और C'],
  ['sv', '1 tim 20 min', '4,2 km', '1 234,50 $', 'A, B, C'],
  ['zh-CN', '1小时20分钟', '4.2公里', '1,234.50 $', 'A、B、C'],
])('%s -> its units, separators and lists; the symbol where the settings place it', (locale, ...written) => {
  const { duration, distance, money, list } = format({ locale, dateLocale: locale, swipe_symbol: true })
  const shown = [duration(4_800), distance(4.234), money(12_345_000), list(['A', 'B', 'C'])]
  expect(shown.map((text) => text.replaceAll(/\s/g, ' '))).toEqual(written)
})

it("clock -> the city's time zone", () => {
  expect(format().clock(Date.UTC(2026, 10, 21, 17, 5))).toBe('14:05')
})

it('relative -> how long ago', () => {
  expect(format().relative(0, 20_000)).toBe('20 sec. ago')
  expect(format().relative(0, 180_000)).toBe('3 min. ago')
})

it('ago: a time ahead of the clock -> now', () => {
  expect([format().ago(1_400, 0), format().ago(90_000, 0), format().ago(0, 20_000)]).toEqual([
    'now',
    'now',
    '20 sec. ago',
  ])
})

it('weekday -> its name in the language', () => {
  expect([format().weekday('mon'), format().weekday('sun', 'short')]).toEqual(['Monday', 'Sun'])
  expect(format({ dateLocale: 'ar' }).weekday('fri')).toBe('الجمعة')
})

it("isolated: the value's first strong character sets its direction -> no script is forced into another one", () => {
  expect(isolated('غيّرت رأيي')).toBe('\u2068غيّرت رأيي\u2069')
  expect(withoutIsolates(`Reason: ${isolated('غيّرت رأيي')}, \u2066$5\u2069`)).toBe('Reason: غيّرت رأيي, $5')
})

it('dateTime: another year -> with the year; fullDateTime -> always with the year', () => {
  const now = Date.now()
  const thisYear = String(new Date(now).getUTCFullYear())
  expect(format({ timezone: 'UTC' }).dateTime(now)).not.toContain(thisYear)
  expect(format({ timezone: 'UTC' }).fullDateTime(now)).toContain(thisYear)
  expect(format().dateTime(Date.UTC(2031, 4, 2, 15))).toContain('2031')
})

it('clockOrDate: today -> the time; another day -> day and month, with the year of another one', () => {
  const now = Date.now()
  const { clockOrDate, clock } = format()
  expect(clockOrDate(now)).toBe(clock(now))
  const [may, ofMay] = [Date.UTC(new Date(now).getUTCFullYear(), 4, 2, 15), /^\D*0?[25]\D+0?[25]\D*$/]
  if (Math.abs(now - may) > 3 * 86_400_000) expect(clockOrDate(may)).toMatch(ofMay)
  expect(clockOrDate(Date.UTC(2031, 4, 2, 15))).toContain('31')
})

it('list -> with the separators of the language', () => {
  expect(format().list(['one', 'two', 'three'])).toBe('one, two, three')
  expect(format({ locale: 'ar-u-nu-latn' }).list(['one', 'two'])).toBe('one وtwo')
})

it('rating: integer -> still one decimal', () => {
  expect(format().rating(5)).toBe('5.0')
})
