import { expect, it, vi } from 'vitest'
import { uploadPicture } from './upload.ts'

class FakeRequest {
  timeout = 0
  upload = {}
  status = 0
  response: unknown = null
  onload = () => {}
  onerror = () => {}
  ontimeout = () => {}
  onabort = () => {}
  open() {}
  send() {}
  abort() {
    this.onabort()
  }
}

function start(signal?: AbortSignal) {
  const request = new FakeRequest()
  vi.stubGlobal(
    'XMLHttpRequest',
    vi.fn(function Request() {
      return request
    }),
  )
  const file = new File(['x'], 'x.png')
  return { request, upload: uploadPicture('POST', '/api/v1/uploads/licence', file, () => {}, signal) }
}

it.each(['onerror', 'ontimeout', 'onabort'] as const)('upload: %s -> Fetch Call Error', async (event) => {
  const { request, upload } = start()
  request[event]()
  await expect(upload).rejects.toMatchObject({ key: 'Fetch Call Error', status: 0 })
})

it('upload: aborted -> Fetch Call Error', async () => {
  const leaving = new AbortController()
  const { upload } = start(leaving.signal)
  leaving.abort()
  await expect(upload).rejects.toMatchObject({ key: 'Fetch Call Error', status: 0 })
})

it('upload: no response in two minutes -> times out', () => {
  const { request } = start()
  expect(request.timeout).toBe(120_000)
})

it('upload: accepted -> the response', async () => {
  const { request, upload } = start()
  Object.assign(request, { status: 201, response: { uploadId: 'u1' } })
  request.onload()
  expect(await upload).toEqual({ uploadId: 'u1' })
})
