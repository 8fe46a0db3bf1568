import { landingSize } from '../apps/web/scripts/size.mjs'

/** What the booking page may weigh: 180 KB of gzipped JavaScript before the map arrives. */
const limitBytes = 180 * 1024

/** The landing page's JavaScript, gzipped, as the last build made it; a ratio above 1 is within the limit. */
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
