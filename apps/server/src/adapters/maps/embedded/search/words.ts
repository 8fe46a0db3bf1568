/** Common abbreviations and their spelling in the map data. Both sides of a comparison are expanded. */
const spelledOut: Record<string, string> = {
  av: 'avenida',
  avda: 'avenida',
  ave: 'avenida',
  bv: 'bulevar',
  blv: 'bulevar',
  blvd: 'bulevar',
  blvr: 'bulevar',
  bvar: 'bulevar',
  bulev: 'bulevar',
  boulevard: 'bulevar',
  rbla: 'rambla',
  cno: 'camino',
  cmno: 'camino',
  pje: 'pasaje',
  psje: 'pasaje',
  pza: 'plaza',
  pque: 'parque',
  septiembre: 'setiembre',
  pzta: 'plazoleta',
  dr: 'doctor',
  dra: 'doctora',
  gral: 'general',
  cnel: 'coronel',
  cap: 'capitan',
  cptan: 'capitan',
  tte: 'teniente',
  alte: 'almirante',
  ing: 'ingeniero',
  arq: 'arquitecto',
  prof: 'profesor',
  pte: 'presidente',
  pdte: 'presidente',
  mcal: 'mariscal',
  cte: 'comandante',
  sta: 'santa',
  sto: 'santo',
  ntra: 'nuestra',
  sra: 'senora',
  gdor: 'gobernador',
  hosp: 'hospital',
  fac: 'facultad',
  univ: 'universidad',
}

/** Words that do not distinguish places. */
const small = new Set(['de', 'del', 'la', 'las', 'el', 'los', 'y', 'e', 'a', 'al', 'en'])

/** Words that many names begin with; they weigh less than the rest of the name. */
const common = new Set([
  'avenida',
  'calle',
  'camino',
  'pasaje',
  'bulevar',
  'doctor',
  'general',
  'plaza',
  'rambla',
])

/** Lower case without diacritics or punctuation: "Bulevar José Artigas," becomes "bulevar jose artigas". */
export function plainText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The words of a name or a query, abbreviations spelled out. */
export function words(text: string): string[] {
  const plain = plainText(text)
  return plain === '' ? [] : plain.split(' ').map((word) => spelledOut[word] ?? word)
}

/** A key that spelling variants of a name share: "Plaza de Cagancha" and "Plaza Cagancha" are equal. */
export function nameKey(name: string): string {
  const all = words(name)
  const telling = all.filter((word) => !small.has(word))
  return (telling.length > 0 ? telling : all).join(' ')
}

/** How much a word distinguishes a place, 0 to 1. */
export function wordWeight(word: string): number {
  if (small.has(word)) return 0.1
  return common.has(word) ? 0.5 : 1
}
