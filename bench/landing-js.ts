import { landingSize } from '../apps/web/scripts/size.mjs'

/** Limit of the booking page: 165 KB of gzipped JavaScript before the map loads. */
const limitBytes = 165 * 1024

/** Measures the landing page's gzipped JavaScript of the last build; a ratio above 1 is within the limit. */
export async function run() {
  const { scriptBytes } = await landingSize()
  return {
    job: 'landing-js',
    unit: 'bytes gzipped',
    ours: scriptBytes,
    peer: limitBytes,
    peer_name: 'limit of 165 KB',
    ratio: limitBytes / scriptBytes,
  }
}
