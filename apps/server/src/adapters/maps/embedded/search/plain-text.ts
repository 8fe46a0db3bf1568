/** Letters that Unicode does not decompose, and the spelling that people type instead. */
const letters: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ς: 'σ',
  ґ: 'г',
  // Arabic and Persian letters that are written for one another.
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
  // Final forms of Hebrew letters, which a longer word would not have at this position.
  ך: 'כ',
  ם: 'מ',
  ן: 'נ',
  ף: 'פ',
  ץ: 'צ',
}
const toReplace = new RegExp(`[${Object.keys(letters).join('')}]`, 'g')

/** Accents of Latin, Greek and Cyrillic, points of Hebrew, signs and tatweel of Arabic, the nukta of Devanagari. */
const marks =
  /[\u0300-\u036f\u0591-\u05c7\u05f3\u05f4\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed\u093c]/g
/** Arabic-Indic, Persian and Devanagari digits; each block is in numerical order. */
const foreignDigits = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g
const firstDigits = [0x660, 0x6f0, 0x966]
const ascii = /^[\x20-\x7e]*$/

/**
 * Lower case without diacritics or punctuation: "Bulevar José Artigas," becomes "bulevar jose artigas". Spellings of one
 * word in its script become equal; vowel signs that distinguish words (Devanagari, Thai, Japanese) stay.
 */
export function plainText(text: string): string {
  const lower = ascii.test(text) ? text.toLowerCase() : withoutMarks(text)
  return (apostrophe.test(lower) ? joinApostrophes(lower) : lower).replace(separators, ' ').trim()
}

const separators = /[^\p{L}\p{N}\p{M}]+/gu
const apostrophe = /['’`´]/

/** "King's" as "kings" and "O'Connell" as "oconnell"; other apostrophes separate words ("l'hospital"). */
function joinApostrophes(lower: string): string {
  return lower
    .replace(/([\p{L}\p{N}])['’`´]s(?![\p{L}\p{N}])/gu, '$1s')
    .replace(/(?<![\p{L}\p{N}])o['’`´](?=\p{L})/gu, 'o')
}

function withoutMarks(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(marks, '')
    .replace(toReplace, (letter) => letters[letter] as string)
    .replace(foreignDigits, (digit) => {
      const code = digit.charCodeAt(0)
      return String(code - (firstDigits.findLast((first) => first <= code) as number))
    })
    .normalize('NFC')
}

/** Scripts written without spaces between words. */
const unspaced =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]+/gu
const hasUnspaced =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\u{20000}-\u{3ffff}]/u

/**
 * The words of plain text. Text of a script without spaces is split into overlapping pairs of characters, so that any
 * part of a name finds it; a single character remains one.
 */
export function splitWords(plain: string): string[] {
  if (plain === '') return []
  if (!hasUnspaced.test(plain)) return plain.split(' ')
  return plain
    .replace(unspaced, (run) => ` ${pairs(run).join(' ')} `)
    .trim()
    .split(/ +/)
}

function pairs(run: string): string[] {
  const characters = Array.from(run)
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
}

/** The last characters of text without spaces: the start of no pair, but a user may type only them. */
export function lastCharacters(plain: string): string[] {
  if (!hasUnspaced.test(plain)) return []
  return Array.from(plain.matchAll(unspaced), ([run]) => Array.from(run))
    .filter((characters) => characters.length > 1)
    .map((characters) => characters.at(-1) as string)
}

const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }

/** The spelling of a name without umlauts and rings ("Müller" as "Mueller"); null if it has none. */
export function umlautSpelling(name: string): string | null {
  if (ascii.test(name)) return null
  const spelled = name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[äöüøå]/g, (letter) => umlauts[letter] as string)
  return /[äöüøå]/i.test(name.normalize('NFC')) ? spelled : null
}
