/**
 * Countries (ISO 3166-1) by the number of their police or of all emergency services. Every row was compared with the emergency
 * numbers of libphonenumber (resources/ShortNumberMetadata.xml, as in google-libphonenumber 3.2.47): 112 is listed where that
 * source has it, and a country without a number that it confirms is left out.
 */
const countries: Readonly<Record<string, string>> = {
  '000': 'AU',
  '100': 'IL',
  '105': 'PE',
  '110': 'BO CN GT JP TW',
  '111': 'NZ',
  '112':
    'AD AE AL AO AT AX AZ BE BG BI BJ BQ BT BY CC CH CW CX CY CZ DE DK DZ EE ER ES FI FO FR GE GG GI GL GR HR HU ID IE IN IR' +
    ' IS IT JE KP KR KW KZ LB LI LK LS LT LU LV MC MD ME MK MQ MT NL NO NP NR PL PT RE RO RS RU RW SE SI SJ SK ST SY TJ TL TR' +
    ' TZ UA VA VU XK YT ZA ZM ZW',
  '113': 'VN',
  '118': 'NI',
  '119': 'JM',
  '122': 'EG',
  '123': 'CO',
  '133': 'CL',
  '15': 'PK',
  '190': 'BR',
  '191': 'TH',
  '211': 'BB',
  '911': 'AI AR AS BM BS CA CR DO EC FM GD GU JO KY MH MP MX PA PH PR PW PY SA SV TV US UY VE VI',
  '999': 'FK GB HK IM KE MO MY NU QA SB SC SD SG SL SS SZ TT UG',
}

const numbers = new Map(
  Object.entries(countries).flatMap(([number, codes]) => codes.split(' ').map((code) => [code, number])),
)

/** The emergency number of a country, by its ISO code in any case; null if none is known for sure: a wrong one costs time. */
export const emergencyNumber = (country: string): string | null => numbers.get(country.toUpperCase()) ?? null
