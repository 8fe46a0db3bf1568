/** Short forms people write, as the map data spells them out. Both sides of a comparison go through this table. */
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

/** Words that say nothing about which place is meant. */
const small = new Set(['de', 'del', 'la', 'las', 'el', 'los', 'y', 'e', 'a', 'al', 'en'])

/** Words that many names begin with: they count, but less than the name itself. */
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

/** Lower case without marks or signs: "Bulevar José Artigas," gives "bulevar jose artigas". */
export function plainText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The words of a name or a query, short forms spelled out. */
export function words(text: string): string[] {
  const plain = plainText(text)
  return plain === '' ? [] : plain.split(' ').map((word) => spelledOut[word] ?? word)
}

/** What two spellings of one name have in common: "Plaza de Cagancha" and "Plaza Cagancha" are alike. */
export function nameKey(name: string): string {
  const all = words(name)
  const telling = all.filter((word) => !small.has(word))
  return (telling.length > 0 ? telling : all).join(' ')
}

/** How much a word says about which place is meant, 0 to 1. */
export function wordWeight(word: string): number {
  if (small.has(word)) return 0.1
  return common.has(word) ? 0.5 : 1
}
