import { landingSize } from '../apps/web/scripts/size.mjs'

/** Limit of the booking page: 180 KB of gzipped JavaScript before the map loads. */
const limitBytes = 180 * 1024

/** Measures the landing page's gzipped JavaScript of the last build; a ratio above 1 is within the limit. */
export async function run() {
  const { scriptBytes } = await landingSize()
  return {
    job: 'landing-js',
    unit: 'bytes gzipped',
    ours: scriptBytes,
    peer: limitBytes,
    peer_name: 'limit of 180 KB',
    ratio: limitBytes / scriptBytes,
  }
}
