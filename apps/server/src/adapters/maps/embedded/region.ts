import type { Region } from '../port.ts'

/** The part of Montevideo and its surroundings that the packaged tiles cover. */
export const region: Region = {
  name: 'Montevideo',
  countryCode: 'UY',
  timezone: 'America/Montevideo',
  center: { lat: -34.9011, lng: -56.1645 },
  bounds: [-56.3379, -34.958, -55.9863, -34.8138],
  attribution: '© OpenStreetMap contributors',
}
