import { afterEach, expect, it, vi } from 'vitest'
import { fittedSize, shrinkPhoto } from './shrink-photo.ts'

afterEach(() => vi.unstubAllGlobals())

it.each([
  [4000, 3000, 1600, 1200],
  [3000, 4000, 1200, 1600],
  [800, 600, 800, 600],
  [40_000, 2, 1600, 1],
])('fittedSize: %d x %d -> %d x %d', (width, height, fittedWidth, fittedHeight) => {
  expect(fittedSize(width, height)).toEqual({ width: fittedWidth, height: fittedHeight })
})

it('shrinkPhoto: photo of a camera -> redrawn upright at the smaller size as a JPEG', async () => {
  const photo = { width: 4000, height: 3000, close: vi.fn() }
  const read = vi.fn(async () => photo)
  vi.stubGlobal('createImageBitmap', read)
  const drawn: unknown[] = []
  const canvas = document.createElement('canvas')
  canvas.getContext = (() => ({ drawImage: (...given: unknown[]) => drawn.push(given) })) as never
  canvas.toBlob = (done, type, quality) =>
    done(new Blob([`${canvas.width} ${quality}`], { type: type ?? '' }))
  vi.spyOn(document, 'createElement').mockReturnValueOnce(canvas)
  const small = await shrinkPhoto(new Blob(['raw']))
  expect(read).toHaveBeenCalledWith(expect.any(Blob), { imageOrientation: 'from-image' })
  expect(drawn).toEqual([[photo, 0, 0, 1600, 1200]])
  expect([small?.type, await small?.text()]).toEqual(['image/jpeg', '1600 0.82'])
  expect(photo.close).toHaveBeenCalled()
})

it('shrinkPhoto: a file that the browser cannot read -> null', async () => {
  vi.stubGlobal('createImageBitmap', async () => {
    throw new DOMException('no picture', 'InvalidStateError')
  })
  expect(await shrinkPhoto(new Blob(['%PDF']))).toBeNull()
})
