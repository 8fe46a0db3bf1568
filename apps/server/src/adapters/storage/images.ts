import { ImageRefused, type Images, largestImageBytes, type PreparedImage } from './port.ts'
import { imageType } from './stored-file.ts'

/** Maximum number of pixels; a few kilobytes can declare many more. */
const mostPixels = 50_000_000
const maxConcurrent = 2
const mostWaiting = 16
const longestS = 15
const quality = 82

let loading: Promise<typeof import('sharp').default> | undefined

/** The decoder, loaded with the first image because it slows down startup. */
function loadSharp() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    // One thread per image leaves CPU for other requests; no cache between images.
    sharp.concurrency(1)
    sharp.cache(false)
    return sharp
  })
  return loading
}

/** Re-encodes images as WebP, at most two at a time, with a short queue. */
export function createImages(): Images {
  const slots = createSlots(maxConcurrent, mostWaiting)
  return {
    prepare: async (bytes, longestSide = 1_600) => {
      if (bytes.length > largestImageBytes) throw new ImageRefused('too_large')
      // Checked before decoding: the decoder accepts many more formats.
      if (imageType(bytes) === null) throw new ImageRefused('format')
      return slots(() => redraw(bytes, longestSide))
    },
  }
}

async function redraw(bytes: Uint8Array, longestSide: number): Promise<PreparedImage> {
  const sharp = await loadSharp()
  // The limit is checked separately to distinguish it from damaged files.
  const { width, height, pages } = await decoded(sharp(bytes, { limitInputPixels: false }).metadata())
  if (width * height > mostPixels) throw new ImageRefused('too_many_pixels')
  if ((pages ?? 1) > 1) throw new ImageRefused('animated')
  const { data, info } = await decoded(
    sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', sequentialRead: true })
      .autoOrient()
      .resize({ width: longestSide, height: longestSide, fit: 'inside', withoutEnlargement: true })
      .timeout({ seconds: longestS })
      .webp({ quality })
      .toBuffer({ resolveWithObject: true }),
  )
  return { bytes: data, contentType: 'image/webp', width: info.width, height: info.height }
}

async function decoded<T>(result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch {
    throw new ImageRefused('damaged')
  }
}

/** Runs at most `most` tasks at a time, queues up to `waiting` more, and refuses the rest. */
function createSlots(most: number, waiting: number) {
  let running = 0
  const queue: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < most) running += 1
    else if (queue.length >= waiting) throw new ImageRefused('busy')
    else await new Promise<void>((go) => queue.push(go))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
