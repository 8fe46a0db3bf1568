/**
 * Widths of the bars and spaces of the 107 symbols of Code 128 (ISO/IEC 15417, table 1), in modules: three bars and three
 * spaces that add up to 11; the stop symbol has a fourth bar and 13.
 */
const symbols =
  `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
  123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
  232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
  313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
  111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
  111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
  114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112`.split(/\s+/)
const startB = 104
const stop = 106

/**
 * The symbol numbers of a text in code set B: start, characters, check symbol and stop. The check symbol is the start's
 * number plus each character's number times its position, modulo 103. Throws RangeError for a character outside ASCII
 * 32 to 126.
 */
export function code128Symbols(text: string): number[] {
  const values = Array.from(text, (char) => {
    const code = char.codePointAt(0) ?? 0
    if (code < 32 || code > 126) throw new RangeError('Code 128 B has printable ASCII characters only')
    return code - 32
  })
  const check = values.reduce((sum, value, index) => sum + value * (index + 1), startB) % 103
  return [startB, ...values, check, stop]
}

/** The bars of a text as offset and width, in modules, and the width of all; without the quiet zones of ten modules. */
export function code128Bars(text: string): { bars: { at: number; width: number }[]; width: number } {
  const widths = code128Symbols(text).flatMap((symbol) => Array.from(symbols[symbol] ?? '', Number))
  let width = 0
  const bars = widths.flatMap((one, index) => {
    const at = width
    width += one
    return index % 2 === 0 ? [{ at, width: one }] : []
  })
  return { bars, width }
}
