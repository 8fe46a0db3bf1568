/**
 * The number of the police or of all emergency services by country (ISO 3166-1), where it is not 112. Mobile phones reach
 * them by 112 and 911 in every GSM or later network (3GPP TS 22.101, 10.1.1), so 112 is right for every other country.
 * Source: the list of national numbers of the ITU (Recommendation E.129) and its numbers for emergencies (E.161.1).
 */
const numbers: Readonly<Record<string, string>> = {
  AR: '911',
  AU: '000',
  BB: '211',
  BO: '110',
  BR: '190',
  BS: '911',
  CA: '911',
  CL: '133',
  CN: '110',
  CO: '123',
  CR: '911',
  DO: '911',
  EC: '911',
  EG: '122',
  GB: '999',
  GT: '110',
  HK: '999',
  HN: '911',
  IL: '100',
  JM: '119',
  JO: '911',
  JP: '110',
  KE: '999',
  MX: '911',
  MY: '999',
  NI: '118',
  NZ: '111',
  PA: '911',
  PE: '105',
  PH: '911',
  PK: '15',
  PR: '911',
  PY: '911',
  SA: '911',
  SG: '999',
  SV: '911',
  TH: '191',
  TT: '999',
  TW: '110',
  US: '911',
  UY: '911',
  VE: '911',
  VN: '113',
}

/** The emergency number of a country, by its ISO code in any case. */
export const emergencyNumber = (country: string): string => numbers[country.toUpperCase()] ?? '112'
